import CPKCS11

/// The one name that the module exports: its functions, in a table.
@c(C_GetFunctionList)
public func functionList(_ place: UnsafeMutablePointer<UnsafeMutablePointer<ck_function_list>?>?) -> ck_rv_t {
  alone { () throws(Fault) in
    let place = try unsafe given(place)
    let table = unsafe cpkcs11_functions()
    if unsafe table.pointee.version.major == 0 { unsafe table.pointee = functions }
    unsafe place.pointee = table
  }
}

private var functions: ck_function_list {
  var table = ck_function_list()
  table.version = Cryptoki.version
  addGeneral(to: &table)
  addObjects(to: &table)
  addSigning(to: &table)
  refuseRest(of: &table)
  return table
}

private func addGeneral(to table: inout ck_function_list) {
  unsafe table.C_Initialize = { unsafe initialize($0) }
  unsafe table.C_Finalize = { unsafe finalize($0) }
  unsafe table.C_GetInfo = { unsafe tellInfo($0) }
  unsafe table.C_GetFunctionList = { unsafe functionList($0) }
  unsafe table.C_GetSlotList = { unsafe listSlots($1, $2) }
  unsafe table.C_GetSlotInfo = { unsafe tellSlot($0, $1) }
  unsafe table.C_GetTokenInfo = { unsafe tellToken($0, $1) }
  unsafe table.C_GetMechanismList = { unsafe listMechanisms($0, $1, $2) }
  unsafe table.C_GetMechanismInfo = { unsafe tellMechanism($0, $1, $2) }
  unsafe table.C_OpenSession = { unsafe openSession($0, $1, $4) }
  table.C_CloseSession = { closeSession($0) }
  table.C_CloseAllSessions = { closeSessions($0) }
  unsafe table.C_GetSessionInfo = { unsafe tellSession($0, $1) }
  unsafe table.C_Login = { unsafe logIn($0, $1, $2, $3) }
  table.C_Logout = { logOut($0) }
  table.C_GetFunctionStatus = { _ in CKR_FUNCTION_NOT_PARALLEL }
  table.C_CancelFunction = { _ in CKR_FUNCTION_NOT_PARALLEL }
}

private func addObjects(to table: inout ck_function_list) {
  unsafe table.C_FindObjectsInit = { unsafe beginSearch($0, $1, $2) }
  unsafe table.C_FindObjects = { unsafe search($0, $1, $2, $3) }
  table.C_FindObjectsFinal = { endSearch($0) }
  unsafe table.C_GetAttributeValue = { unsafe tellAttributes($0, $1, $2, $3) }
  unsafe table.C_GenerateKeyPair = { unsafe makeKey($0, $1, $2, $3, $4, $5, $6, $7) }
  table.C_DestroyObject = { destroy($0, $1) }
}

private func addSigning(to table: inout ck_function_list) {
  unsafe table.C_SignInit = { unsafe beginSignature($0, $1, $2) }
  unsafe table.C_Sign = { unsafe sign($0, $1, $2, $3, $4) }
  unsafe table.C_SignUpdate = { unsafe addToSignature($0, $1, $2) }
  unsafe table.C_SignFinal = { unsafe endSignature($0, $1, $2) }
}

/// What the standard has besides: no place in the table may be empty.
private func refuseRest(of table: inout ck_function_list) {
  unsafe table.C_InitToken = { _, _, _, _ in CKR_FUNCTION_NOT_SUPPORTED }
  unsafe table.C_InitPIN = { _, _, _ in CKR_FUNCTION_NOT_SUPPORTED }
  unsafe table.C_SetPIN = { _, _, _, _, _ in CKR_FUNCTION_NOT_SUPPORTED }
  unsafe table.C_GetOperationState = { _, _, _ in CKR_FUNCTION_NOT_SUPPORTED }
  unsafe table.C_SetOperationState = { _, _, _, _, _ in CKR_FUNCTION_NOT_SUPPORTED }
  unsafe table.C_CreateObject = { _, _, _, _ in CKR_FUNCTION_NOT_SUPPORTED }
  unsafe table.C_CopyObject = { _, _, _, _, _ in CKR_FUNCTION_NOT_SUPPORTED }
  unsafe table.C_GetObjectSize = { _, _, _ in CKR_FUNCTION_NOT_SUPPORTED }
  unsafe table.C_SetAttributeValue = { _, _, _, _ in CKR_FUNCTION_NOT_SUPPORTED }
  unsafe table.C_EncryptInit = { _, _, _ in CKR_FUNCTION_NOT_SUPPORTED }
  unsafe table.C_Encrypt = { _, _, _, _, _ in CKR_FUNCTION_NOT_SUPPORTED }
  unsafe table.C_EncryptUpdate = { _, _, _, _, _ in CKR_FUNCTION_NOT_SUPPORTED }
  unsafe table.C_EncryptFinal = { _, _, _ in CKR_FUNCTION_NOT_SUPPORTED }
  unsafe table.C_DecryptInit = { _, _, _ in CKR_FUNCTION_NOT_SUPPORTED }
  unsafe table.C_Decrypt = { _, _, _, _, _ in CKR_FUNCTION_NOT_SUPPORTED }
  unsafe table.C_DecryptUpdate = { _, _, _, _, _ in CKR_FUNCTION_NOT_SUPPORTED }
  unsafe table.C_DecryptFinal = { _, _, _ in CKR_FUNCTION_NOT_SUPPORTED }
  unsafe table.C_DigestInit = { _, _ in CKR_FUNCTION_NOT_SUPPORTED }
  unsafe table.C_Digest = { _, _, _, _, _ in CKR_FUNCTION_NOT_SUPPORTED }
  unsafe table.C_DigestUpdate = { _, _, _ in CKR_FUNCTION_NOT_SUPPORTED }
  table.C_DigestKey = { _, _ in CKR_FUNCTION_NOT_SUPPORTED }
  unsafe table.C_DigestFinal = { _, _, _ in CKR_FUNCTION_NOT_SUPPORTED }
  unsafe table.C_SignRecoverInit = { _, _, _ in CKR_FUNCTION_NOT_SUPPORTED }
  unsafe table.C_SignRecover = { _, _, _, _, _ in CKR_FUNCTION_NOT_SUPPORTED }
  unsafe table.C_VerifyInit = { _, _, _ in CKR_FUNCTION_NOT_SUPPORTED }
  unsafe table.C_Verify = { _, _, _, _, _ in CKR_FUNCTION_NOT_SUPPORTED }
  unsafe table.C_VerifyUpdate = { _, _, _ in CKR_FUNCTION_NOT_SUPPORTED }
  unsafe table.C_VerifyFinal = { _, _, _ in CKR_FUNCTION_NOT_SUPPORTED }
  unsafe table.C_VerifyRecoverInit = { _, _, _ in CKR_FUNCTION_NOT_SUPPORTED }
  unsafe table.C_VerifyRecover = { _, _, _, _, _ in CKR_FUNCTION_NOT_SUPPORTED }
  unsafe table.C_DigestEncryptUpdate = { _, _, _, _, _ in CKR_FUNCTION_NOT_SUPPORTED }
  unsafe table.C_DecryptDigestUpdate = { _, _, _, _, _ in CKR_FUNCTION_NOT_SUPPORTED }
  unsafe table.C_SignEncryptUpdate = { _, _, _, _, _ in CKR_FUNCTION_NOT_SUPPORTED }
  unsafe table.C_DecryptVerifyUpdate = { _, _, _, _, _ in CKR_FUNCTION_NOT_SUPPORTED }
  unsafe table.C_GenerateKey = { _, _, _, _, _ in CKR_FUNCTION_NOT_SUPPORTED }
  unsafe table.C_WrapKey = { _, _, _, _, _, _ in CKR_FUNCTION_NOT_SUPPORTED }
  unsafe table.C_UnwrapKey = { _, _, _, _, _, _, _, _ in CKR_FUNCTION_NOT_SUPPORTED }
  unsafe table.C_DeriveKey = { _, _, _, _, _, _ in CKR_FUNCTION_NOT_SUPPORTED }
  unsafe table.C_SeedRandom = { _, _, _ in CKR_RANDOM_SEED_NOT_SUPPORTED }
  unsafe table.C_GenerateRandom = { _, _, _ in CKR_RANDOM_NO_RNG }
  unsafe table.C_WaitForSlotEvent = { _, _, _ in CKR_FUNCTION_NOT_SUPPORTED }
}
