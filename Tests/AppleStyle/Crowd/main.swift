// A program that does what few do: many contexts and many threads at once, and fork(2).
import Foundation

switch CommandLine.arguments.dropFirst().first {
case "fork": forked()
case "stores": stores(CommandLine.arguments[2])
case "keys": keys(turns: Int(CommandLine.arguments[2]) ?? 1)
default: await crowd(turns: CommandLine.arguments.dropFirst().first.flatMap { Int($0) } ?? 10)
}
