/* flight.c -- messages there and back */
#include "mpi/flight.h"
#include "core/memory.h"

static char *zeros(const ns_device *device, size_t bytes)
{
    void *memory = NULL;
    if (device == NULL)
        return ns_calloc(bytes, 1);
    return device->allocate(&memory, bytes) == 0 && device->fill(memory, 0, bytes) == 0 ? memory : NULL;
}

static void release(const ns_device *device, char *memory)
{
    if (device == NULL)
        ns_free(memory);
    else if (memory != NULL)
        (void)device->release(memory);
}

ns_status ns_flight_open(ns_flight *flight, int messages, size_t bytes, const ns_device *device, ns_error *err)
{
    flight->device = device;
    flight->out = zeros(device, bytes + 1);
    flight->in = zeros(device, bytes + 1);
    flight->request = ns_calloc(ns_size_mul(2, (size_t)messages) + 1, sizeof *flight->request);
    if (flight->out != NULL && flight->in != NULL && flight->request != NULL)
        return NS_OK;
    ns_flight_close(flight);
    return device == NULL ? ns_no_memory(err)
                          : ns_fail(err, NS_ERR_MEMORY, "%s has no %zu B of device memory", device->runtime, bytes);
}

void ns_flight_close(ns_flight *flight)
{
    release(flight->device, flight->out);
    release(flight->device, flight->in);
    ns_free(flight->request);
    flight->out = flight->in = NULL;
    flight->request = NULL;
}

/* One message goes there and back, as in every ping-pong. */
static void ping_pong(const ns_flight *f, int rounds)
{
    for (int i = 0; i < rounds; i++) {
        if (f->leads)
            MPI_Send(f->out, f->bytes, MPI_BYTE, f->peer[0], 0, f->comm);
        MPI_Recv(f->in, f->bytes, MPI_BYTE, f->peer[0], 0, f->comm, MPI_STATUS_IGNORE);
        if (!f->leads)
            MPI_Send(f->out, f->bytes, MPI_BYTE, f->peer[0], 0, f->comm);
    }
}

/* Message i goes to or comes from peer i mod peers, there as number i / peers, which is its tag. */
static void post(const ns_flight *f)
{
    for (int k = 0; k < f->messages; k++) {
        const int i = f->reversed ? f->messages - 1 - k : k;
        MPI_Irecv(f->in + (size_t)i * (size_t)f->bytes, f->bytes, MPI_BYTE, f->peer[i % f->peers], i / f->peers,
                  f->comm, &f->request[i]);
    }
}

static void send(const ns_flight *f)
{
    for (int i = 0; i < f->messages; i++)
        MPI_Isend(f->out, f->bytes, MPI_BYTE, f->peer[i % f->peers], i / f->peers, f->comm,
                  &f->request[f->messages + i]);
}

static void wait(const ns_flight *f, bool sent)
{
    MPI_Waitall(f->messages, f->request + (sent ? f->messages : 0), MPI_STATUSES_IGNORE);
}

/* Receives are posted before anything can arrive, so that each arrival searches them. */
static void many(const ns_flight *f, int rounds)
{
    post(f);
    for (int i = 0; i < rounds; i++) {
        const bool again = i + 1 < rounds;
        if (f->leads) {
            send(f);
            wait(f, true);
            wait(f, false);
            if (again)
                post(f);
        } else {
            wait(f, false);
            if (again)
                post(f);
            send(f);
            wait(f, true);
        }
    }
}

void ns_flight_rounds(ns_flight *flight, int rounds)
{
    if (flight->messages == 1 && flight->peers == 1)
        ping_pong(flight, rounds);
    else if (flight->messages > 0)
        many(flight, rounds);
}
