#define CURL_DISABLE_TYPECHECK
#include "lazy_curl.h"

#include <dlfcn.h>
#include <stddef.h>

#undef curl_easy_setopt
#undef curl_easy_getinfo

static CURLcode (*set_option)(CURL *, CURLoption, ...);
static CURLcode (*get_info)(CURL *, CURLINFO, ...);

const char *lazy_curl_load(lazy_curl *functions) {
  void *library = dlopen("libcurl.so.4", RTLD_NOW | RTLD_LOCAL);
  if (!library) return dlerror();
  *(void **)&set_option = dlsym(library, "curl_easy_setopt");
  if (!set_option) return dlerror();
  *(void **)&get_info = dlsym(library, "curl_easy_getinfo");
  if (!get_info) return dlerror();
#define FIND(name) \
  if (!(*(void **)&functions->name = dlsym(library, "curl_" #name))) return dlerror();
  FIND(global_init)
  FIND(easy_init)
  FIND(easy_cleanup)
  FIND(easy_strerror)
  FIND(multi_init)
  FIND(multi_cleanup)
  FIND(multi_add_handle)
  FIND(multi_remove_handle)
  FIND(multi_perform)
  FIND(multi_poll)
  FIND(multi_info_read)
  FIND(slist_append)
  FIND(slist_free_all)
  return NULL;
}

CURLcode lazy_curl_set_number(CURL *handle, CURLoption option, long value) {
  return set_option(handle, option, value);
}

CURLcode lazy_curl_set_size(CURL *handle, CURLoption option, curl_off_t value) {
  return set_option(handle, option, value);
}

CURLcode lazy_curl_set_text(CURL *handle, CURLoption option, const char *value) {
  return set_option(handle, option, value);
}

CURLcode lazy_curl_set_pointer(CURL *handle, CURLoption option, void *value) {
  return set_option(handle, option, value);
}

CURLcode lazy_curl_set_taker(CURL *handle, CURLoption option, lazy_curl_taker value) {
  return set_option(handle, option, value);
}

CURLcode lazy_curl_set_seeker(CURL *handle, CURLoption option, lazy_curl_seeker value) {
  return set_option(handle, option, value);
}

CURLcode lazy_curl_set_witness(CURL *handle, curl_sockopt_callback value) {
  return set_option(handle, CURLOPT_SOCKOPTFUNCTION, value);
}

CURLcode lazy_curl_set_listener(CURL *handle, curl_debug_callback value) {
  return set_option(handle, CURLOPT_DEBUGFUNCTION, value);
}

const char *lazy_curl_address(CURL *handle) {
  char *address = NULL;
  return get_info(handle, CURLINFO_EFFECTIVE_URL, &address) == CURLE_OK ? address : NULL;
}

int lazy_curl_socket(CURL *handle) {
  curl_socket_t socket = CURL_SOCKET_BAD;
  return get_info(handle, CURLINFO_ACTIVESOCKET, &socket) == CURLE_OK ? socket : -1;
}

CURLcode lazy_curl_result(const CURLMsg *message) { return message->data.result; }
