"""Rollouts, batches and functions of many items on a Ray cluster, with the lines and the bits of one machine.

    import torsor

    states, sensordata = torsor.rollout(model, initial, controls)                # on this machine
    states, sensordata = torsor.cluster.rollout(model, initial, controls)        # on a cluster

Needs Ray: pip install 'torsor[ray]'. Everything takes `cluster=`: "auto" is the cluster of RAY_ADDRESS or the one that
this machine belongs to, else the cores of this machine; "host:port" is another one; None is this process, without Ray.
Results are the same for any number of workers, to the bit. A worker or a node that dies costs the work of its current
chunk. docs/cluster.md is the guide.
"""

from torsor.cluster._batch import Batch as Batch
from torsor.cluster._connection import Cluster as Cluster
from torsor.cluster._connection import Node as Node
from torsor.cluster._connection import connect as connect
from torsor.cluster._errors import ClusterError as ClusterError
from torsor.cluster._errors import Failure as Failure
from torsor.cluster._map import Results as Results
from torsor.cluster._map import map as map
from torsor.cluster._report import Report as Report
from torsor.cluster._rollout import RolloutResult as RolloutResult
from torsor.cluster._rollout import rollout as rollout
from torsor.cluster._rollout import rollouts as rollouts
from torsor.cluster._tasks import RolloutChunk as RolloutChunk
