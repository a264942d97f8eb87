#ifndef NSMODEL_VERSION_H
#define NSMODEL_VERSION_H
#define NS_VERSION "0.1.0"
#endif
