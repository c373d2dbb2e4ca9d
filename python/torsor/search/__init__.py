"""Searches over controls and parameters of a model: on this machine, or on a cluster with cluster="auto".

cross_entropy() and Mppi search control sequences, identify() finds masses, friction, damping and gains from logs in any
convention, sweep() simulates over a grid or a Sobol design and writes a table. None of them needs Ray unless a cluster is
asked for. Results depend on seeds, not on the number of workers. docs/cluster.md has examples.
"""

from torsor.search._cross_entropy import Plan as Plan
from torsor.search._cross_entropy import cross_entropy as cross_entropy
from torsor.search._identify import Identification as Identification
from torsor.search._identify import Log as Log
from torsor.search._identify import identify as identify
from torsor.search._mppi import ControlledRun as ControlledRun
from torsor.search._mppi import Mppi as Mppi
from torsor.search._parameters import Parameter as Parameter
from torsor.search._parameters import with_values as with_values
from torsor.search._sweep import Design as Design
from torsor.search._sweep import Simulate as Simulate
from torsor.search._sweep import Sweep as Sweep
from torsor.search._sweep import grid as grid
from torsor.search._sweep import sobol as sobol
from torsor.search._sweep import sweep as sweep
