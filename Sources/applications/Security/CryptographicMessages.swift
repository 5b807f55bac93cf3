import SignetCoreFoundation

// What the results that no call here gives mean, in words of Signet's own.

/// Of cryptographic modules, each number after another from `errSecServiceNotAvailable` down.
let cryptographicMessages: [String] = """
  Service not available
  Insufficient client ID
  Device reset
  Device failed
  Apple additional application ACL subject
  Apple public key incomplete
  Apple signature mismatch
  Apple invalid key start date
  Apple invalid key end date
  Conversion error
  Apple s s lv2 rollback
  Quota exceeded
  File too big
  Invalid database blob
  Invalid key blob
  Incompatible database blob
  Incompatible key blob
  Host name mismatch
  Unknown critical extension flag
  No basic constraints
  No basic constraints CA
  Invalid authority key ID
  Invalid subject key ID
  Invalid key usage for the policy
  Invalid extended key usage
  Invalid ID linkage
  Path length constraint exceeded
  Invalid root
  CRL expired
  CRL not valid yet
  CRL not found
  CRL server down
  CRL bad URI
  Unknown certificate extension
  Unknown CRL extension
  CRL not trusted
  CRL policy failed
  IDP failure
  SMIME email addresses not found
  SMIME bad extended key usage
  SMIME bad key usage
  SMIME key usage not critical
  SMIME no email address
  SMIME subject alternative name not critical
  SSL bad extended key usage
  OCSP bad response
  OCSP bad request
  OCSP unavailable
  OCSP status unrecognized
  End of data
  Incomplete certificate revocation check
  Network failure
  OCSP not trusted to anchor
  Record modified
  OCSP signature error
  OCSP no signer
  OCSP responder malformed request
  OCSP responder internal error
  OCSP responder try later
  OCSP responder signature required
  OCSP responder unauthorized
  OCSP response nonce mismatch
  Code signing bad certificate chain length
  Code signing no basic constraints
  Code signing bad path length constraint
  Code signing no extended key usage
  Code signing development
  Resource signing bad certificate chain length
  Resource signing bad extended key usage
  Trust setting deny
  Invalid subject name
  Unknown qualified certificate statement
  MobileMe request queued
  MobileMe request redirected
  MobileMe server error
  MobileMe server not available
  MobileMe server already exists
  MobileMe server service error
  MobileMe request already pending
  MobileMe no request pending
  MobileMe CSR verify failure
  MobileMe failed consistency check
  Not initialized
  Invalid handle usage
  PVC referent not found
  Function integrity fail
  Internal error
  Memory error
  Invalid data
  MDS error
  Invalid pointer
  Self check failed
  Function failed
  Module manifest verify failed
  Invalid GUID
  Invalid handle
  Invalid DB list
  Invalid passthrough ID
  Invalid network address
  CRL already signed
  Invalid number of fields
  Verification failure
  Unknown tag
  Invalid signature
  Invalid name
  Invalid certificate ref
  Invalid certificate group
  Tag not found
  Invalid query
  Invalid value
  Callback failed
  ACL delete failed
  ACL replace failed
  ACL additional failed
  ACL change failed
  Invalid access credentials
  Invalid record
  Invalid ACL
  Invalid sample value
  Incompatible version
  Privilege not granted
  Invalid scope
  PVC already configured
  Invalid PVC
  EMM load failed
  EMM unload failed
  Add-in load failed
  Invalid key ref
  Invalid key hierarchy
  Add-in unload failed
  Library reference not found
  Invalid add-in function table
  Invalid service mask
  Module not loaded
  Invalid sub service ID
  Attribute not in context
  Module manager initialize failed
  Module manager not found
  Event notification callback not found
  Input length error
  Output length error
  Privilege not supported
  Device error
  Attach handle busy
  Not logged in
  Algorithm mismatch
  Key usage incorrect
  Key blob type incorrect
  Key header inconsistent
  Unsupported key format
  Unsupported key size
  Invalid key usage mask
  Unsupported key usage mask
  Invalid key attribute mask
  Unsupported key attribute mask
  Invalid key label
  Unsupported key label
  Invalid key format
  Unsupported vector of buffers
  Invalid input vector
  Invalid output vector
  Invalid context
  Invalid algorithm
  Invalid attribute key
  Missing attribute key
  Invalid attribute initialization vector
  Missing attribute initialization vector
  Invalid attribute salt
  Missing attribute salt
  Invalid attribute padding
  Missing attribute padding
  Invalid attribute random
  Missing attribute random
  Invalid attribute seed
  Missing attribute seed
  Invalid attribute passphrase
  Missing attribute passphrase
  Invalid attribute key length
  Missing attribute key length
  Invalid attribute block size
  Missing attribute block size
  Invalid attribute output size
  Missing attribute output size
  Invalid attribute rounds
  Missing attribute rounds
  Invalid algorithm parameters
  Missing algorithm parameters
  Invalid attribute label
  Missing attribute label
  Invalid attribute key type
  Missing attribute key type
  Invalid attribute mode
  Missing attribute mode
  Invalid attribute effective bits
  Missing attribute effective bits
  Invalid attribute start date
  Missing attribute start date
  Invalid attribute end date
  Missing attribute end date
  Invalid attribute version
  Missing attribute version
  Invalid attribute prime
  Missing attribute prime
  Invalid attribute base
  Missing attribute base
  Invalid attribute subprime
  Missing attribute subprime
  Invalid attribute iteration count
  Missing attribute iteration count
  Invalid attribute DLDB handle
  Missing attribute DLDB handle
  Invalid attribute access credentials
  Missing attribute access credentials
  Invalid attribute public key format
  Missing attribute public key format
  Invalid attribute private key format
  Missing attribute private key format
  Invalid attribute symmetric key format
  Missing attribute symmetric key format
  Invalid attribute wrapped key format
  Missing attribute wrapped key format
  Staged operation in progress
  Staged operation not started
  Verify failed
  Query size unknown
  Block size mismatch
  Public key inconsistent
  Device verify failed
  Invalid login name
  Already logged in
  Invalid digest algorithm
  Invalid CRL group
  Certificate cannot operate
  Certificate expired
  Certificate not valid yet
  Certificate revoked
  Certificate suspended
  Insufficient credentials
  Invalid action
  Invalid authority
  Verify action failed
  Invalid certificate authority
  Invalid CRL authority
  Invalid CRL encoding
  Invalid CRL type
  Invalid CRL
  Invalid form type
  Invalid ID
  Invalid identifier
  Invalid index
  Invalid policy identifiers
  Invalid time string
  Invalid reason
  Invalid request inputs
  Invalid response vector
  Invalid stop on policy
  Invalid tuple
  Multiple values unsupported
  Not trusted
  No default authority
  Rejected form
  Request lost
  Request rejected
  Unsupported address type
  Unsupported service
  Invalid tuple group
  Invalid base ACLs
  Invalid tuple credentials
  Invalid encoding
  Invalid validity period
  Invalid requestor
  Request descriptor
  Invalid bundle information
  Invalid CRL index
  No field values
  Unsupported field format
  Unsupported index information
  Unsupported locality
  Unsupported number of attributes
  Unsupported number of indexes
  Unsupported number of record types
  Field specified multiple
  Incompatible field format
  Invalid parsing module
  Database locked
  Datastore is open
  Missing value
  Unsupported query limits
  Unsupported number of selection predicates
  Unsupported operator
  Invalid DB location
  Invalid access request
  Invalid index information
  Invalid new owner
  Invalid modify mode
  Missing required extension
  Extended key usage not critical
  Timestamp missing
  Timestamp invalid
  Timestamp not trusted
  Timestamp service not available
  Timestamp bad algorithm
  Timestamp bad request
  Timestamp bad data format
  Timestamp time not available
  Timestamp unaccepted policy
  Timestamp unaccepted extension
  Timestamp add-information not available
  Timestamp system failure
  Signing time missing
  Timestamp rejection
  Timestamp waiting
  Timestamp revocation warning
  Timestamp revocation notification
  Certificate policy not allowed
  Certificate name not allowed
  Certificate validity period too long
  Certificate is CA
  Certificate duplicate extension
  Missing qualified certificate statement
  """.split(separator: "\n").map { $0 + "." }
