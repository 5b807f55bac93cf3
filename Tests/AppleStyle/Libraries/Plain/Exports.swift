// The one file that a module needs whose others import Foundation only: what it gives out, all of them see.
@_exported import Security
