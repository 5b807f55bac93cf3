#ifndef CCURL_H
#define CCURL_H

/// libcurl, loaded at the first request: what makes none does not wait for it, and what is linked does not need it. In C, because its
/// functions have to be looked up by name, and those that set and tell take any type (`...`), which Swift does not import.
/// A function that is not here is not loaded: to call it by curl.h's name does not link.

#include <curl/curl.h>
#include <stddef.h>
#include <stdint.h>

/// Loads the library and has it begin; the other calls come after. 0 where it cannot be loaded or lacks a function.
int ccurl_load(void);

/// What curl calls with each line of a head, and with each piece of a body: how many bytes were taken. Fewer end the transfer.
typedef size_t (*ccurl_taker)(char *_Nonnull bytes, size_t size, size_t count, void *_Nonnull owner);

CURL *_Nullable ccurl_new(void);
void ccurl_free(CURL *_Nonnull transfer);
CURLcode ccurl_set_number(CURL *_Nonnull transfer, CURLoption option, long value);
/// Also where the value is large (`CURLOPTTYPE_OFF_T`).
CURLcode ccurl_set_size(CURL *_Nonnull transfer, CURLoption option, int64_t value);
/// libcurl copies the text.
CURLcode ccurl_set_text(CURL *_Nonnull transfer, CURLoption option, const char *_Nonnull text);
/// libcurl copies nothing: it is there as long as the transfer.
CURLcode ccurl_set_pointer(CURL *_Nonnull transfer, CURLoption option, const void *_Nullable value);
/// libcurl copies the bytes.
CURLcode ccurl_set_bytes(CURL *_Nonnull transfer, CURLoption option, const void *_Nonnull bytes, size_t length);
CURLcode ccurl_set_takers(CURL *_Nonnull transfer, ccurl_taker _Nonnull head, ccurl_taker _Nonnull body, void *_Nonnull owner);
long ccurl_status(CURL *_Nonnull transfer);

/// The list with a line more; NULL, and the list as it was, where there is no memory.
struct curl_slist *_Nullable ccurl_append(struct curl_slist *_Nullable list, const char *_Nonnull line);
void ccurl_free_list(struct curl_slist *_Nullable list);

CURLM *_Nullable ccurl_multi_new(void);
void ccurl_multi_free(CURLM *_Nonnull multi);
CURLMcode ccurl_add(CURLM *_Nonnull multi, CURL *_Nonnull transfer);
void ccurl_remove(CURLM *_Nonnull multi, CURL *_Nonnull transfer);
/// Does what can be done without waiting.
CURLMcode ccurl_perform(CURLM *_Nonnull multi);
/// Waits until something can be done, somebody wakes it, or so many milliseconds are over.
CURLMcode ccurl_wait(CURLM *_Nonnull multi, int milliseconds);
/// From any thread.
void ccurl_wake(CURLM *_Nonnull multi);
/// The next transfer that has ended, and how; NULL where there is none.
CURL *_Nullable ccurl_next_end(CURLM *_Nonnull multi, CURLcode *_Nonnull code);

#endif
