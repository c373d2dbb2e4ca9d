"""A simulation of a run on many nodes: one driver hands out chunks to all cores and takes their results.

What is simulated are the three things that a driver shares out among all workers: its own time per chunk, the bandwidth of
its network for inputs and results, and the order of events. Chunks are handed out ahead of time, two per core, as
torsor.cluster does. Times per chunk are drawn from measured ones.

    python benchmarks/cluster_scheduler.py --help
"""

import argparse
import dataclasses
import heapq
import random


@dataclasses.dataclass
class Costs:
    """What a chunk costs, as benchmarks/cluster.py measures it."""

    chunk_seconds: list[float]  # on a worker
    driver_seconds: float  # of the driver per chunk: handing out, waiting, taking the result
    latency: float  # from the end of a chunk to the driver's knowledge of it, and back
    chunk_bytes: float  # inputs and results through the driver's network
    model_bytes: float = 0.0  # sent to each node once
    bandwidth: float = 1.25e9  # bytes per second of the driver's network: 10 Gbit/s


@dataclasses.dataclass
class Run:
    seconds: float
    efficiency: float  # work of all cores against the time that they had
    driver_load: float  # share of the time in which the driver was busy
    network_load: float  # the same for its network

    @property
    def limit(self) -> str:
        if self.efficiency > 0.9:
            return "none"
        names = {"driver": self.driver_load, "network": self.network_load, "last chunks": 0.8}
        return max(names, key=names.get)


def simulate(nodes, cores_per_node, chunks, costs, seed=0, ahead=2):
    """One run. The driver and its network each serve one request at a time, in the order in which they come."""
    rng = random.Random(seed)
    workers = nodes * cores_per_node
    driver_free = driver_busy = network_free = network_busy = work = 0.0
    # Nodes that have the model pass it on, so that its distribution takes as long as the logarithm of their number.
    begin = 0.0 if not costs.model_bytes else costs.model_bytes / costs.bandwidth * max(1, (nodes - 1).bit_length())
    idle = [(begin, worker) for worker in range(workers)]  # when each core is free
    heapq.heapify(idle)
    handed = done = 0
    finished = []  # when the driver hears of each chunk
    end = 0.0

    def serve(free, now, seconds):
        start = max(free, now)
        return start + seconds

    transfer = costs.chunk_bytes / costs.bandwidth
    while done < chunks:
        # hand out as long as chunks are open
        while handed < chunks and handed - done < ahead * workers:
            driver_free = serve(driver_free, 0.0, costs.driver_seconds / 2)
            driver_busy += costs.driver_seconds / 2
            free, worker = heapq.heappop(idle)
            start = max(free, driver_free + costs.latency / 2)
            seconds = rng.choice(costs.chunk_seconds)
            work += seconds
            heapq.heappush(idle, (start + seconds, worker))
            heapq.heappush(finished, start + seconds + costs.latency / 2)
            handed += 1
        heard = heapq.heappop(finished)
        network_free = serve(network_free, heard, transfer)
        network_busy += transfer
        driver_free = serve(driver_free, network_free, costs.driver_seconds / 2)
        driver_busy += costs.driver_seconds / 2
        end = max(end, driver_free)
        done += 1
    return Run(end, work / (end * workers), driver_busy / end, network_busy / end)


def rows(costs, nodes=(1, 2, 10, 30, 100, 300, 1000), cores_per_node=8, chunks_per_core=40, seconds_per_core=0.0):
    """One row per number of nodes, for runs in which each core has the same work. Chunks take at least seconds_per_core for
    each core of the cluster."""
    found, measured = [], costs.chunk_seconds
    for count in nodes:
        longer = max(1.0, seconds_per_core * count * cores_per_node * len(measured) / sum(measured))
        costs = dataclasses.replace(costs, chunk_seconds=[longer * each for each in measured])
        run = simulate(count, cores_per_node, count * cores_per_node * chunks_per_core, costs)
        found.append({"nodes": f"{count:,}", "cores": f"{count * cores_per_node:,}",
                      "chunk s": f"{sum(costs.chunk_seconds) / len(measured):.1f}", "seconds": f"{run.seconds:.1f}",
                      "efficiency": f"{run.efficiency:.2f}", "driver busy": f"{run.driver_load:.2f}",
                      "its network busy": f"{run.network_load:.2f}", "limit": run.limit})
    return found


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--chunk", type=float, default=0.5, help="seconds of a chunk (default 0.5)")
    parser.add_argument("--driver", type=float, default=5e-4, help="seconds of the driver per chunk (default 0.0005)")
    parser.add_argument("--bytes", type=float, default=1e5, help="inputs and results of a chunk (default 100 kB)")
    parser.add_argument("--cores", type=int, default=8, help="cores per node (default 8)")
    arguments = parser.parse_args()
    for row in rows(Costs([arguments.chunk], arguments.driver, 2e-3, arguments.bytes), cores_per_node=arguments.cores):
        print("  ".join(f"{name} {value}" for name, value in row.items()))


if __name__ == "__main__":
    main()
