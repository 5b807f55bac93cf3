// swift-tools-version: 6.2
import PackageDescription

// For `make bench` alone, so that nobody else fetches what is measured beside SignetJWT.
let package = Package(
  name: "jwt-speed",
  dependencies: [
    .package(name: "signet", path: "../../.."),
    // The library for JSON Web Tokens that Swift's servers use.
    .package(url: "https://github.com/vapor/jwt-kit", from: "5.0.0"),
  ],
  targets: [
    .executableTarget(
      name: "jwt-speed",
      dependencies: [.product(name: "SignetJWT", package: "signet"), .product(name: "JWTKit", package: "jwt-kit")])
  ])
