@_exported public import EtalonDiagnostics
@_exported public import EtalonTypes
