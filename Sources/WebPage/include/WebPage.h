#pragma once

#include <stddef.h>

/// The files of the page, as they are in this folder.
typedef struct {
  const unsigned char *bytes;
  size_t size;
} web_page_file;

web_page_file web_page_html(void);
web_page_file web_page_style(void);
web_page_file web_page_script(void);
web_page_file web_page_icon(void);
/// The style of reports.
web_page_file web_page_report_style(void);
