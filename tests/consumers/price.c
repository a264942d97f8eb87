/* price.c -- a program that links libnsmodel, in C and in C++: a machine loaded, one of its numbers */
#include <nsmodel/nsmodel.h>

#include <stdio.h>

int main(void)
{
    ns_machine *machine = NULL;
    ns_error err;
    double alpha = 0;
    err.code = NS_OK;
    if (ns_machine_load("lassen", &machine, &err) != NS_OK) {
        fprintf(stderr, "%s\n", err.text);
        return 1;
    }
    const bool known = ns_machine_number(machine, "host.off-node.rendezvous.alpha", &alpha, NULL, NULL);
    printf("%s %s %.3g\n", NS_VERSION, ns_machine_handle(machine), known ? alpha : -1);
    ns_machine_free(machine);
    return 0;
}
