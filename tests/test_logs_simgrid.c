/* test_logs_simgrid.c -- SimGrid calibration: a send and the receive after it are one round trip */
#include "support/log_rows.h"

static const log_row rows[] = {
    {"half of send and receive together; any number of samples of a size",
     "MPI_Send,1024,32.5,2.0e-06\nMPI_Recv,1024,32.5,6.0e-06\nMPI_Send,1024,33.5,2.5e-06\nMPI_Recv,1024,33.5,6.5e-06\n"
     "MPI_Send,7,34.5,1.0e-06\nMPI_Recv,7,34.5,2.0e-06\n",
     .samples = 3, .want = {PONG(2, 1024, 4e-6), PONG(4, 1024, 4.5e-6), PONG(6, 7, 1.5e-6)}},
    {"--locality: the file says none", "MPI_Send,1024,32.5,2.0e-06\nMPI_Recv,1024,32.5,6.0e-06\n",
     .said = {.locality = "on-node"}, .samples = 1,
     .want = {{2, NS_PING_PONG, NS_ON_NODE, NS_HOST, 1, 1, 1024, 4e-6, ""}}},
    {"halves without the other are counted, never paired with a stranger",
     "MPI_Send,1024,32.5,2.0e-06\nMPI_Send,8,33.5,2.5e-06\nMPI_Recv,8,33.5,6.5e-06\nMPI_Recv,16,35.5,6.5e-06\nMPI_Send,"
     "8,36.5,2.5e-06\n",
     .samples = 1, .want = {PONG(3, 8, 4.5e-6)}, .note = {{1, "3 sends or receives without the other half"}}},
    {"a cut end",
     "MPI_Send,1024,32.5,2.0e-06\nMPI_Recv,1024,32.5,6.0e-06\nMPI_Send,8,33.5,2.5e-06\nMPI_Recv,8,33.5,6.5",
     .samples = 1, .note = {{4, "not a whole line"}, {3, "1 sends or receives"}}},
    {"other lines are said",
     "MPI_Send,1024,32.5,2.0e-06\nMPI_Recv,1024,32.5,6.0e-06\nMPI_Isend,8,1.0,2.0e-06\nMPI_Send,-8,1.0,2.0e-06\n",
     .samples = 1, .note = {{3, "not a whole line"}, {4, "not a whole line"}}},
    {"limits set by hand", "Limit, Name\n1420, Small\n33500, Medium\n",
     .refusal = "limits of protocols that were set by hand, no times; --switch takes them", .refusal_line = 1},
    {"a load test", "1,MPI_Send,8,0.1,2.0\n", .refusal = "a load test", .refusal_line = 1},
};

LOG_ROWS("simgrid", rows)
