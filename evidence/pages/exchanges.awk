# exchanges.awk -- rows of dense exchanges, for nsmodel validate, from BenchPress' logs of MPI_Alltoallv (time_alltoallv)
#
#     awk -f evidence/pages/exchanges.awk machine=summit gpus=6 all_to_all_v_*.out > exchanges.csv
#
# A log has each way twice: by the library's MPI_Alltoallv, then by MPI_Isend and MPI_Irecv of every pair.  The second
# counts, of buffers on the device and of those that are copied to the host and back by one process of each GPU; the
# times are means of 100 repeats, for 1, 2, 4, ... floats of every pair.  Logs of one machine and number of nodes are
# repeats: their median is written.

FNR == 1 { split("", seen); way = ""; processes = 0 }

/^Cuda-Aware Alltoallv:/ { way = ++seen["device"] == 2 ? "device" : ""; next }
/^3-Step Alltoallv:/ { way = ++seen["host"] == 2 ? "staged-with-copies" : ""; next }
/^3-Step Alltoallv,/ { way = ""; next }
/^Nmsgs / { processes = $2 + 0; next }

# The number of processes stands below the first table of copies, before those that count.
way != "" && $1 ~ /^[0-9.]+e[-+][0-9]+$/ {
  for (i = 1; i <= NF; i++)
    if ($i ~ /^[0-9.]+e[-+][0-9]+$/) {
      key = processes SUBSEP 4 * 2 ^ (i - 1) SUBSEP way
      if (!((key, 1) in time))
        order[++rows] = key
      time[key, ++count[key]] = $i
    }
  way = ""
}

function median(key,    i, j, n, t, v) {
  n = count[key]
  for (i = 1; i <= n; i++) {
    t = time[key, i] + 0
    for (j = i - 1; j >= 1 && v[j] > t; j--)
      v[j + 1] = v[j]
    v[j + 1] = t
  }
  return n % 2 ? v[(n + 1) / 2] : (v[n / 2] + v[n / 2 + 1]) / 2
}

END {
  if (machine == "" || !gpus) {
    print "exchanges.awk: wanted machine=NAME gpus=OF-A-NODE before the logs" > "/dev/stderr"
    exit 2
  }
  if (!rows) {
    print "exchanges.awk: the logs hold no times of MPI_Isend and MPI_Irecv of every pair" > "/dev/stderr"
    exit 1
  }
  print "machine,nodes,gpus_per_node,processes,bytes_per_pair,strategy,transport,algorithm,repeats,median_s"
  for (i = 1; i <= rows; i++) {
    split(order[i], of, SUBSEP)
    printf "%s,%d,%d,%d,%d,standard,%s,nonblocking,%d,%.7g\n", machine, of[1] / gpus, gpus, of[1], of[2], of[3], count[order[i]], median(order[i])
  }
}
