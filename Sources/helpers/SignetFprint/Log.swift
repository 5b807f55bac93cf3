#if !hasFeature(Embedded)
  import SignetBusProgram
#endif

func log(_ level: LogLevel, _ text: String) { BusLog.put("signet-fprint", level, text) }
