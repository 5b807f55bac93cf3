// Asks for the owner and releases a secret. The declarations are those that bindgen makes of signet.h.
use std::ffi::{c_void, CStr};
use std::os::raw::c_char;
use std::ptr::null;

#[repr(C)]
struct Context([u8; 0]);

#[repr(C)]
struct Error {
    domain: i32,
    code: i32,
    message: *const c_char,
    detail: *const c_char,
    reserved: [u64; 2],
}

extern "C" {
    fn signet_context_create(name: *const c_char, error: *mut Error) -> *mut Context;
    fn signet_context_free(context: *mut Context);
    fn signet_evaluate_policy(context: *mut Context, policy: i32, reason: *const c_char, error: *mut Error) -> bool;
    fn signet_item_copy(
        context: *mut Context, kind: i32, service: *const c_char, account: *const c_char, reason: *const c_char,
        length: *mut usize, error: *mut Error,
    ) -> *mut c_void;
    fn signet_free(pointer: *mut c_void);
}

fn text(literal: &'static [u8]) -> *const c_char {
    CStr::from_bytes_with_nul(literal).unwrap().as_ptr()
}

fn main() {
    let mut error = Error { domain: 0, code: 0, message: null(), detail: null(), reserved: [0; 2] };
    let mut length = 0;
    unsafe {
        let context = signet_context_create(text(b"Notes\0"), &mut error);
        if !signet_evaluate_policy(context, 2, text(b"open your notes\0"), &mut error) {
            panic!("{:?} ({})", CStr::from_ptr(error.message), error.code);
        }
        let value = signet_item_copy(
            context, 0, text(b"notes\0"), text(b"key\0"), text(b"open your notes\0"), &mut length, &mut error,
        );
        assert!(!value.is_null(), "{:?} ({})", CStr::from_ptr(error.message), error.code);
        let bytes = std::slice::from_raw_parts(value as *const u8, length);
        println!("The key has {} bytes: {}", length, String::from_utf8_lossy(bytes));
        signet_free(value);
        signet_context_free(context);
    }
}
