#include "CCurl.h"

#include <dlfcn.h>
#include <pthread.h>

// Its macros check the types of what `...` takes; here each function has one type.
#undef curl_easy_setopt
#undef curl_easy_getinfo

/// The functions that are used, each of which is looked up under its own name.
#define FUNCTIONS(_)                                                                                                          \
  _(curl_global_init)                                                                                                         \
  _(curl_easy_init)                                                                                                           \
  _(curl_easy_cleanup)                                                                                                        \
  _(curl_easy_setopt)                                                                                                         \
  _(curl_easy_getinfo)                                                                                                        \
  _(curl_slist_append)                                                                                                        \
  _(curl_slist_free_all)                                                                                                      \
  _(curl_multi_init)                                                                                                          \
  _(curl_multi_cleanup)                                                                                                       \
  _(curl_multi_add_handle)                                                                                                    \
  _(curl_multi_remove_handle)                                                                                                 \
  _(curl_multi_perform)                                                                                                       \
  _(curl_multi_poll)                                                                                                          \
  _(curl_multi_wakeup)                                                                                                        \
  _(curl_multi_info_read)

static struct {
#define DECLARE(name) __typeof__(&name) name;
  FUNCTIONS(DECLARE)
} curl;

static int is_loaded;
static pthread_once_t once = PTHREAD_ONCE_INIT;

static void load(void) {
  void *library = dlopen("libcurl.so.4", RTLD_NOW | RTLD_LOCAL);
  if (library == NULL) return;
#define FIND(name)                                                                                                            \
  curl.name = (__typeof__(curl.name))dlsym(library, #name);                                                                   \
  if (curl.name == NULL) return;
  FUNCTIONS(FIND)
  is_loaded = curl.curl_global_init(CURL_GLOBAL_DEFAULT) == CURLE_OK;
}

int ccurl_load(void) {
  pthread_once(&once, load);
  return is_loaded;
}

CURL *ccurl_new(void) { return curl.curl_easy_init(); }
void ccurl_free(CURL *transfer) { curl.curl_easy_cleanup(transfer); }

CURLcode ccurl_set_number(CURL *transfer, CURLoption option, long value) {
  return curl.curl_easy_setopt(transfer, option, value);
}

CURLcode ccurl_set_size(CURL *transfer, CURLoption option, int64_t value) {
  return curl.curl_easy_setopt(transfer, option, (curl_off_t)value);
}

CURLcode ccurl_set_text(CURL *transfer, CURLoption option, const char *text) {
  return curl.curl_easy_setopt(transfer, option, text);
}

CURLcode ccurl_set_pointer(CURL *transfer, CURLoption option, const void *value) {
  return curl.curl_easy_setopt(transfer, option, value);
}

CURLcode ccurl_set_bytes(CURL *transfer, CURLoption option, const void *bytes, size_t length) {
  struct curl_blob blob = {.data = (void *)bytes, .len = length, .flags = CURL_BLOB_COPY};
  return curl.curl_easy_setopt(transfer, option, &blob);
}

CURLcode ccurl_set_takers(CURL *transfer, ccurl_taker head, ccurl_taker body, void *owner) {
  CURLcode codes[] = {
      curl.curl_easy_setopt(transfer, CURLOPT_HEADERFUNCTION, head),
      curl.curl_easy_setopt(transfer, CURLOPT_HEADERDATA, owner),
      curl.curl_easy_setopt(transfer, CURLOPT_WRITEFUNCTION, body),
      curl.curl_easy_setopt(transfer, CURLOPT_WRITEDATA, owner),
  };
  for (size_t i = 0; i < sizeof codes / sizeof *codes; i++)
    if (codes[i] != CURLE_OK) return codes[i];
  return CURLE_OK;
}

long ccurl_status(CURL *transfer) {
  long status = 0;
  return curl.curl_easy_getinfo(transfer, CURLINFO_RESPONSE_CODE, &status) == CURLE_OK ? status : 0;
}

struct curl_slist *ccurl_append(struct curl_slist *list, const char *line) { return curl.curl_slist_append(list, line); }
void ccurl_free_list(struct curl_slist *list) { curl.curl_slist_free_all(list); }

CURLM *ccurl_multi_new(void) { return curl.curl_multi_init(); }
void ccurl_multi_free(CURLM *multi) { curl.curl_multi_cleanup(multi); }
CURLMcode ccurl_add(CURLM *multi, CURL *transfer) { return curl.curl_multi_add_handle(multi, transfer); }
void ccurl_remove(CURLM *multi, CURL *transfer) { curl.curl_multi_remove_handle(multi, transfer); }

CURLMcode ccurl_perform(CURLM *multi) {
  int running;
  return curl.curl_multi_perform(multi, &running);
}

CURLMcode ccurl_wait(CURLM *multi, int milliseconds) {
  return curl.curl_multi_poll(multi, NULL, 0, milliseconds, NULL);
}

void ccurl_wake(CURLM *multi) { curl.curl_multi_wakeup(multi); }

CURL *ccurl_next_end(CURLM *multi, CURLcode *code) {
  int rest;
  CURLMsg *message;
  while ((message = curl.curl_multi_info_read(multi, &rest)) != NULL) {
    if (message->msg != CURLMSG_DONE) continue;
    *code = message->data.result;
    return message->easy_handle;
  }
  return NULL;
}
