/* reproduce_shipped.c -- the published tables that the library carries, by their ids */
#include <nsmodel/json.h>

#include <stdio.h>
#include <string.h>

#include "core/embedded.h"
#include "core/refuse.h"
#include "core/value.h"
#include "study/study.h"

enum { IDS_MOST = 256, ID_SIZE = 80 };
static const char folder[] = "params/published/";

/* The table's id is the stem of its file.  False for a file that is no table. */
static bool id_of(const ns_embedded *file, char *id, size_t size)
{
    const size_t length = strlen(folder);
    if (strncmp(file->path, folder, length) != 0)
        return false;
    snprintf(id, size, "%.*s", (int)strlen(file->path + length) - 5, file->path + length); /* without ".json" */
    return true;
}

const char *ns_reproduce_id(size_t index, char *buffer, size_t size)
{
    for (const ns_embedded *file = ns_embedded_files; file->path != NULL; file++)
        if (id_of(file, buffer, size) && index-- == 0)
            return buffer;
    return NULL;
}

static ns_status no_such_table(const char *id, ns_error *err)
{
    char names[IDS_MOST][ID_SIZE];
    const char *name[IDS_MOST];
    size_t count = 0;
    while (count < IDS_MOST && (name[count] = ns_reproduce_id(count, names[count], ID_SIZE)) != NULL)
        count++;
    return ns_refuse_name_or(err, "no table", id, name, count, "");
}

ns_status ns_reproduce_shipped(const char *id, ns_reproduced **made, ns_error *err)
{
    ns_error_clear(err);
    char own[ID_SIZE];
    for (const ns_embedded *file = ns_embedded_files; file->path != NULL; file++)
        if (id_of(file, own, sizeof own) && strcmp(id, own) == 0)
            return ns_reproduce_text((const char *)file->data, file->path, made, err);
    return no_such_table(id, err);
}

bool ns_reproduce_is_long(const char *id)
{
    char own[ID_SIZE];
    bool found = false;
    for (const ns_embedded *file = ns_embedded_files; file->path != NULL; file++) {
        ns_value *root;
        if (!id_of(file, own, sizeof own) || strcmp(id, own) != 0 ||
            ns_json_parse((const char *)file->data, file->path, &root, NULL) != NS_OK)
            continue;
        const ns_value *is = ns_value_get(root, "long");
        found = is != NULL && is->truth;
        ns_value_free(root);
    }
    return found;
}
