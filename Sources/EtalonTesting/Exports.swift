@_exported public import Etalon
@_exported public import EtalonComparison
