/* library.h -- the library for the program and the tests: with the definitions of types that are opaque to others */
#ifndef NS_API_LIBRARY_H
#define NS_API_LIBRARY_H

#include "calc/calc.h"
#include "collection/catalogue.h"
#include "core/memory.h"
#include "core/value.h"
#include "machine/form.h"
#include "machine/machine.h"
#include "machine/model.h"
#include "matrix/source.h"
#include "model/binding.h"
#include "model/cross.h"
#include "netsparse/netsparse.h"
#include "network/network.h"
#include "pattern/exchange.h"
#include "pattern/graph.h"
#include "pattern/site.h"
#include "price/choice.h"
#include "price/decision.h"
#include "price/price.h"
#include "price/quote.h"
#include "records/judge.h"
#include "records/record.h"
#include "schedule/strategy.h"
#include "study/study.h"

#include <nsmodel/nsmodel.h>

#endif
