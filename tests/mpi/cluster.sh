#!/bin/sh
# cluster.sh NODES PER_NODE RATE COMMAND... -- COMMAND as an Open MPI job on a small cluster inside this machine
#
# A node is a network namespace with its own host name, a cable (veth) of RATE (a token bucket, as 1gbit) to a bridge in a
# namespace of its own, and no way out.  Ranks stand on the nodes in blocks.  Exit code 77: such a cluster cannot be made
# here; standard error says why.  What was made is taken away again, whatever happens.
set -eu

nodes=$1 per_node=$2 rate=$3
shift 3
tag=nsmodel-$$
work=$(mktemp -d)

skip() {
  echo "cluster.sh: $1" >&2
  exit 77
}

# A process in one of these namespaces is of this job: nobody else knows them.
clean() {
  for space in $(ip netns list 2>/dev/null | awk -v tag="$tag-" 'index($1, tag) == 1 { print $1 }'); do
    for process in $(ip netns pids "$space"); do
      kill -9 "$process" 2>/dev/null || :
    done
    ip netns delete "$space" || :
  done
  rm -rf "$work"
}
trap clean EXIT
trap 'exit 143' INT TERM

for tool in ip tc unshare mpirun.openmpi; do
  command -v $tool >/dev/null 2>&1 || skip "there is no $tool"
done
ip netns add "$tag-bridge" 2> "$work/why" || skip "no network namespace can be made: $(cat "$work/why")"
ip -n "$tag-bridge" link add bridge type bridge 2> "$work/why" || skip "no bridge can be made: $(cat "$work/why")"
ip -n "$tag-bridge" link set bridge up

hosts=
for node in $(seq "$nodes"); do
  space=$tag-$node
  ip netns add "$space"
  ip -n "$space" link set lo up
  ip -n "$space" link add eth0 type veth peer name "port$node" netns "$tag-bridge" 2> "$work/why" ||
    skip "no pair of devices can be made: $(cat "$work/why")"
  ip -n "$tag-bridge" link set "port$node" master bridge
  ip -n "$tag-bridge" link set "port$node" up
  ip -n "$space" address add "10.77.0.$node/24" dev eth0
  ip -n "$space" link set eth0 up
  tc -n "$space" qdisc add dev eth0 root tbf rate "$rate" burst 128kb latency 20ms 2> "$work/why" ||
    skip "no token bucket can be made: $(cat "$work/why")"
  hosts=$hosts${hosts:+,}10.77.0.$node:$per_node
done

# What mpirun starts on another node instead of ssh: `agent [OPTION...] ADDRESS COMMAND...`
cat > "$work/agent" <<END
#!/bin/sh
while [ "\${1#-}" != "\$1" ]; do shift; done
node=\${1##*.}
shift
exec ip netns exec "$tag-\$node" unshare --uts sh -c 'hostname "\$0"; exec sh -c "\$*"' "node\$node" "\$@"
END
chmod +x "$work/agent"

export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
"$work/agent" 10.77.0.1 mpirun.openmpi --oversubscribe --host "$hosts" -n "$((nodes * per_node))" \
  --mca plm rsh --mca plm_rsh_agent "$work/agent" --mca oob_tcp_if_include eth0 --mca btl_tcp_if_include eth0 \
  --mca btl self,vader,tcp --mca pml ob1 "$@"
