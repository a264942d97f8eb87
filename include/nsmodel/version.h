#ifndef NSMODEL_VERSION_H
#define NSMODEL_VERSION_H
#define NS_VERSION "1.0.0"
#endif
