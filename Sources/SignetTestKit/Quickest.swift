/// How long something takes, in milliseconds, on a machine that does other things too: the first of three times that is less
/// than `limit`, or the shortest of them. What a busy machine holds up is held up once; what waits is held up each time.
public func quickest(under limit: Int64, _ attempt: () throws -> Int64) rethrows -> Int64 {
  var shortest = Int64.max
  for _ in 1...3 where shortest >= limit { shortest = min(shortest, try attempt()) }
  return shortest
}

/// How long this takes now, in milliseconds.
public func elapsed(_ body: () throws -> Void) rethrows -> Int64 {
  let start = PAMHost.microseconds()
  try body()
  return (PAMHost.microseconds() - start) / 1000
}
