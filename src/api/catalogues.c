/* catalogues.c -- entries and facts of a catalogue, one by one */
#include "collection/catalogue.h"

const ns_catalogue_entry *ns_catalogue_at(const ns_catalogue *catalogue, size_t index)
{
    return index < catalogue->entries ? &catalogue->entry[index] : NULL;
}

const ns_catalogue_fact *ns_catalogue_fact_at(const ns_catalogue *catalogue, const ns_catalogue_entry *entry,
                                              size_t index)
{
    const ns_catalogue_fact *fact;
    return index < ns_catalogue_facts(catalogue, entry, &fact) ? &fact[index] : NULL;
}
