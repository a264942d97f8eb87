/* test_logs_netgauge.c -- netgauge LogGP: the output file and the terminal; what is not a number is normal */
#include "support/log_rows.h"

#define HEAD "# size n PRTT(1,0,s) PRTT(n,0,s) PRTT(n,PRTT(1,0,s),s) L o_s o_r g G lsqu(g,G)\n"

static const log_row rows[] = {
    {"the file: one message there and back, and the parameters; L once",
     HEAD
     "1 10 2.25 4.5 23.75 1.125 0.125 0.1875 -nan -nan -nan\n1025 10 3.25 7.0 35.0 1.125 0.25 0.3125 0.2 0.0002 -nan\n"
     "2049 10 4.5 7.0 35.0 1.125 0.25 0.3125 -0.2 -0.0001 0.06\n",
     .samples = 12,
     .want = {PONG(2, 1, 1.125e-6),
              {2, NS_LOGGP, NS_OFF_NODE, NS_HOST, 1, 1, 1, 1.125e-6, "L"},
              {2, NS_LOGGP, NS_OFF_NODE, NS_HOST, 1, 1, 1, 0.125e-6, "o_s"},
              PONG(3, 1025, 1.625e-6),
              {3, NS_LOGGP, NS_OFF_NODE, NS_HOST, 1, 1, 1025, 0.3125e-6, "o_r"},
              {3, NS_LOGGP, NS_OFF_NODE, NS_HOST, 1, 1, 1025, 0.2e-6, "g"},
              {3, NS_LOGGP, NS_OFF_NODE, NS_HOST, 1, 1, 1025, 0.0002e-6, "G"}},
     .note = {{2, "4 values are zero, negative or not numbers"}}},
    {"the terminal; after a protocol change a size is printed twice and the second counts",
     "# Info:   (0): Netgauge v2.4.6 MPI enabled (P=2, threadlevel=0) (netgauge -m mpi -x loggp )\nTesting 1 bytes 200 "
     "times:\n"
     " L=1.125  s=1  o_s=0.125  o_r=0.1875  g=-nan  G=-nan (-nan GiB/s) lsqu(g,G)=-nan \n"
     " L=1.125  s=1025  o_s=0.25  o_r=0.3125  g=0.2  G=0.0002 (37.5 GiB/s) lsqu(g,G)=-nan \n"
     "we detected a protocol change at 1025 bytes\n"
     " L=1.125  s=1025  o_s=0.5  o_r=0.75  g=-nan  G=-nan (-nan GiB/s) lsqu(g,G)=-nan \n",
     .samples = 5,
     .want = {{3, NS_LOGGP, NS_OFF_NODE, NS_HOST, 1, 1, 1, 1.125e-6, "L"},
              {6, NS_LOGGP, NS_OFF_NODE, NS_HOST, 1, 1, 1025, 0.5e-6, "o_s"}},
     .note = {{5, "netgauge saw a protocol change at 1025 B"}, {3, "4 values are zero"}}},
    {"--round-trip half: the file's ping-pongs", HEAD "1 10 2.25 4.5 23.75 1.125 0.125 0.1875 0.2 0.1 0.1\n",
     .said = {.round_trip = "half"}, .samples = 6,
     .want = {PONG(2, 1, 2.25e-6), {2, NS_LOGGP, NS_OFF_NODE, NS_HOST, 1, 1, 1, 1.125e-6, "L"}}},
    {"cut ends", HEAD "1 10 2.25 4.5 23.75 1.125 0.125 0.1875 0.2 0.1 0.1\n1025 10 3.25 7.0 35.0 1.1", .samples = 6,
     .note = {{3, "ends in the middle of a row"}}},
    {"... of the terminal",
     " L=1.125  s=1  o_s=0.125  o_r=0.1875  g=0.2  G=0.1 (1 GiB/s) lsqu(g,G)=-nan \n L=1.125  s=1025  o_s=0.25  "
     "o_r=0.3125  g=0.2  G=0.00",
     .samples = 5, .note = {{2, "ends in the middle of a row"}}},
    {"sizes that are no numbers do no harm",
     " L=1.125  s=nan  o_s=0.125  o_r=0.1875  g=0.2  G=0.1 (1 GiB/s)\n L=1.125  s=-1  o_s=0.125  o_r=0.1875  g=0.2  "
     "G=0.1 (1 GiB/s)\n",
     .refusal = "no table with a time in it"},
};

LOG_ROWS("netgauge", rows)
