/* forms.c -- parts and numbers of a form by name */
#include "support/forms.h"

#include <check.h>
#include <string.h>

unsigned form_part(const ns_form *form, const char *name)
{
    if (*name == '\0')
        return 0;
    for (int i = 0; form->parts != NULL && form->parts[i].name != NULL; i++)
        if (strcmp(form->parts[i].name, name) == 0)
            return 1u << i;
    ck_abort_msg("form %s has no part %s", form->name, name);
    return 0;
}
