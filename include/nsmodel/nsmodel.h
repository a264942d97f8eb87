/* nsmodel.h -- everything the library offers */
#ifndef NSMODEL_NSMODEL_H
#define NSMODEL_NSMODEL_H
#include <nsmodel/calc.h>
#include <nsmodel/catalogue.h>
#include <nsmodel/choice.h>
#include <nsmodel/exchange.h>
#include <nsmodel/graph.h>
#include <nsmodel/json.h>
#include <nsmodel/machine.h>
#include <nsmodel/matrix.h>
#include <nsmodel/measure.h>
#include <nsmodel/model.h>
#include <nsmodel/netsparse.h>
#include <nsmodel/placer.h>
#include <nsmodel/price.h>
#include <nsmodel/published.h>
#include <nsmodel/quantity.h>
#include <nsmodel/quote.h>
#include <nsmodel/schedule.h>
#include <nsmodel/site.h>
#include <nsmodel/status.h>
#include <nsmodel/strategy.h>
#include <nsmodel/study.h>
#include <nsmodel/value.h>
#include <nsmodel/version.h>
#endif
