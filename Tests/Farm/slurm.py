"""A cluster of Slurm on one machine: a controller and two nodes of one core each, in a folder, on ports of its own.

Scripts/test-farm starts the tests in namespaces of processes, mounts and host names, so that the machine sees nothing of the cluster, and all of it ends
with them. Each node has a host name of its own, too: what runs under it is what runs on that node.
"""
import glob
import os
import re
import signal
import socket
import subprocess

from running import Failure, output_of, read, wait_until, write

NODES = ("n1", "n2")

CONFIGURATION = """\
ClusterName=farm
SlurmctldHost=farm(127.0.0.1)
SlurmctldPort={controller}
SlurmUser=root
SlurmdUser=root
AuthType=auth/none
CredType=cred/none
# How long an element that was requeued waits: 120 s where nothing is said, and 5 s at least.
AuthInfo=cred_expire=5
StateSaveLocation={folder}/state
SlurmdSpoolDir={folder}/spool.%n
SlurmctldPidFile={folder}/slurmctld.pid
SlurmdPidFile={folder}/%n.pid
SlurmctldLogFile={folder}/slurmctld.log
SlurmdLogFile={folder}/%n.log
ProctrackType=proctrack/linuxproc
# A step has the core of its slurmd.
TaskPlugin=task/none
JobAcctGatherType=jobacct_gather/none
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
SchedulerParameters=batch_sched_delay=0,sched_interval=1
SlurmdParameters=config_overrides
ReturnToService=2
SlurmdTimeout=8
KillWait=2
MinJobAge=36000
MpiDefault=none
MailProg=/bin/true
{nodes}
PartitionName=render Nodes=n[1-2] Default=YES MaxTime=INFINITE State=UP
"""


def free_ports(count):
    holders = [socket.socket() for _ in range(count)]
    for holder in holders:
        holder.bind(("127.0.0.1", 0))
    ports = [holder.getsockname()[1] for holder in holders]
    for holder in holders:
        holder.close()
    return ports


def cores():
    """One core for each node; both have the same where there is only one."""
    there = sorted(os.sched_getaffinity(0))
    return [there[place % len(there)] for place in range(len(NODES))]


class Cluster:
    def __init__(self, folder):
        self.folder = folder
        self.daemons = {}
        os.makedirs(folder + "/state")
        os.makedirs(folder + "/cgroup")
        controller, *ports = free_ports(1 + len(NODES))
        nodes = "\n".join(f"NodeName={name} NodeHostname={name} NodeAddr=127.0.0.1 Port={port} CPUs=1 RealMemory=1000" for name, port in zip(NODES, ports))
        write(folder + "/slurm.conf", CONFIGURATION.format(controller=controller, folder=folder, nodes=nodes))
        # slurmd wants something mounted where it looks for control groups, although it uses none here. The mount is seen in this namespace alone.
        output_of("mount", "-t", "tmpfs", "none", folder + "/cgroup")
        write(folder + "/cgroup.conf", f"CgroupPlugin=cgroup/v1\nCgroupMountpoint={folder}/cgroup\n")
        os.environ["SLURM_CONF"] = folder + "/slurm.conf"

    def start(self):
        self.start_controller()
        for name in NODES:
            self.start_node(name)
        self.wait_for_nodes()

    def stop(self):
        for name in NODES:
            self.lose(name)
        for name in list(self.daemons):
            self.end(name)

    def start_daemon(self, name, host, *command):
        with open(f"{self.folder}/{name}.messages", "ab") as log:
            self.daemons[name] = subprocess.Popen(
                ["setpriv", "--pdeathsig", "KILL", "unshare", "--uts", "sh", "-c", 'hostname "$0" && exec "$@"', host, *command],
                stdin=subprocess.DEVNULL, stdout=log, stderr=log, start_new_session=True)

    def start_controller(self):
        self.start_daemon("slurmctld", "farm", "slurmctld", "-D")

    def start_node(self, name):
        self.start_daemon(name, name, "taskset", "-c", str(cores()[NODES.index(name)]), "slurmd", "-D", "-N", name)

    def end(self, name):
        """Kills a daemon and nothing else."""
        daemon = self.daemons.pop(name)
        daemon.send_signal(signal.SIGKILL)
        daemon.wait()

    def lose(self, name):
        """Takes a node away with everything that runs on it, as when its power fails."""
        if name not in self.daemons:
            return
        its = host_of(self.daemons[name].pid)
        for process in processes():
            if host_of(process) == its and its:
                try:
                    os.kill(process, signal.SIGKILL)
                except ProcessLookupError:
                    pass
        self.daemons.pop(name).wait()

    @property
    def states(self):
        text = subprocess.run(["sinfo", "-h", "-N", "-o", "%N %t"], capture_output=True, text=True).stdout
        return dict(line.split() for line in text.splitlines())

    def wait_for_nodes(self, *names, state="idle", seconds=40):
        names = names or NODES
        try:
            wait_until(f"{' and '.join(names)}: {state}", lambda: all(self.states.get(name) == state for name in names), seconds)
        except Failure as failure:
            logs = {name: read(name).decode(errors="replace")[-600:] for name in glob.glob(self.folder + "/*.messages")}
            raise Failure(f"{failure}; they are {self.states}; the messages: {logs}") from None


def processes():
    return [int(name) for name in os.listdir("/proc") if name.isdigit()]


def host_of(process):
    """The namespace of the host name of a process."""
    try:
        return os.readlink(f"/proc/{process}/ns/uts")
    except OSError:
        return None


class Element:
    """A job, or an element of an array, as `scontrol show job` tells it."""

    ENDED = {"COMPLETED", "FAILED", "CANCELLED", "TIMEOUT", "NODE_FAIL", "OUT_OF_MEMORY", "BOOT_FAIL", "DEADLINE"}

    def __init__(self, line):
        self.fields = dict(re.findall(r"(\w+(?::\w)*)=(\S*)", line))
        self.state = self.fields["JobState"]
        self.array = self.fields.get("ArrayJobId", self.fields["JobId"])
        self.place = self.fields.get("ArrayTaskId")
        self.id = f"{self.array}_{self.place}" if self.place else self.array
        self.node = self.fields.get("NodeList", "")
        self.restarts = int(self.fields.get("Restarts", 0))
        self.is_stuck = self.fields.get("Reason") == "DependencyNeverSatisfied"

    @property
    def has_ended(self):
        return self.state in self.ENDED or self.is_stuck

    def __repr__(self):
        return f"{self.id} {self.state} {self.node} {self.fields.get('ExitCode', '')} restarts {self.restarts} {self.fields.get('Reason', '')}"


def elements(jobs):
    found = []
    for job in jobs:
        result = subprocess.run(["scontrol", "-o", "show", "job", str(job)], capture_output=True, text=True)
        if result.returncode:
            # For as long as the controller is away.
            return []
        found += [Element(line) for line in result.stdout.splitlines() if line.startswith("JobId=")]
    return found
