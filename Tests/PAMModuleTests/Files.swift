import Foundation
import Glibc

func bytes(of path: String) throws -> Data { try Data(contentsOf: URL(fileURLWithPath: path)) }

func contents(of path: String) throws -> String { try String(decoding: bytes(of: path), as: UTF8.self) }

func canRun(_ program: String) -> Bool { access(program, X_OK) == 0 }
