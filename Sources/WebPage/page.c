#include "WebPage.h"

#pragma clang diagnostic ignored "-Wc23-extensions"

// `#embed` (C23) puts a file's bytes there, and the compiler sees when it has changed.
#define FILE_OF(name)                                        \
  web_page_file web_page_##name(void) {                      \
    return (web_page_file){.bytes = name, .size = sizeof name}; \
  }

static const unsigned char html[] = {
#embed "page.html"
};
FILE_OF(html)

static const unsigned char style[] = {
#embed "page.css"
};
FILE_OF(style)

static const unsigned char script[] = {
#embed "page.js"
};
FILE_OF(script)

static const unsigned char icon[] = {
#embed "icon.svg"
};
FILE_OF(icon)

static const unsigned char report_style[] = {
#embed "report.css"
};
FILE_OF(report_style)
