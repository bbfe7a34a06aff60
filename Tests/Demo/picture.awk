# Draws frames of a terminal (tmux capture-pane -e), a file each, as one SVG that plays them in a loop.
#
# Bytes, not characters: run it in the C locale. Colours are those that jobrun uses, of a dark terminal.

BEGIN {
  wide = 8.4; high = 18; columns = 92; rows = 16; step = 0.5
  colour[31] = "#ff7b72"; colour[32] = "#7ee787"; colour[33] = "#e3b341"
  colour[36] = "#79c0ff"; usual = "#d1d7e0"
}

# The columns that a text takes: its bytes that begin a character.
function length_of(text) { gsub(/[\200-\277]/, "", text); return length(text) }

function escaped(text) {
  gsub(/&/, "\\&amp;", text); gsub(/</, "\\&lt;", text); gsub(/>/, "\\&gt;", text)
  return text
}

function obey(codes,  part, count, i) {
  count = split(codes, part, ";")
  if (count == 0) { fill = usual; style = "" }
  for (i = 1; i <= count; i++) {
    if (part[i] + 0 == 0) { fill = usual; style = "" }
    else if (part[i] == 1) style = style " font-weight=\"bold\""
    else if (part[i] == 2) style = style " opacity=\"0.6\""
    else if (part[i] == 7) inverse = 1
    else if (part[i] == 27) inverse = 0
    else if (part[i] == 39) fill = usual
    else if (part[i] in colour) fill = colour[part[i]]
  }
  if (codes == "" || codes == "0") inverse = 0
}

function span(text,  columns_of) {
  columns_of = length_of(text)
  if (inverse)
    back = back sprintf("<rect x=\"%.1f\" y=\"%d\" width=\"%.1f\" height=\"%d\" fill=\"%s\"/>",
      12 + column * wide, 12 + (row - 1) * high + 4, columns_of * wide, high, "#3d444d")
  if (text ~ /[^ ]/)
    line = line sprintf("<tspan x=\"%.1f\" fill=\"%s\"%s>%s</tspan>", 12 + column * wide, fill, style,
      escaped(text))
  column += columns_of
}

FNR == 1 { finish(); row = 0; fill = usual; style = ""; inverse = 0; body = ""; back = "" }

{
  row++; column = 0; line = ""; rest = $0
  while (match(rest, /\033\[[0-9;]*m/)) {
    if (RSTART > 1) span(substr(rest, 1, RSTART - 1))
    obey(substr(rest, RSTART + 2, RLENGTH - 3))
    rest = substr(rest, RSTART + RLENGTH)
  }
  if (rest != "") span(rest)
  if (line != "") body = body sprintf("<text y=\"%d\">%s</text>\n", 12 + row * high, line)
}

# Keeps a frame; the same again only lasts longer.
function finish() {
  if (NR <= 1) return
  shown++
  if (frames > 0 && back body == frame[frames]) { lasts[frames]++; return }
  frames++; frame[frames] = back body; lasts[frames] = 1
}

END {
  finish(); lasts[frames] += 3; shown += 3
  total = shown * step
  printf "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d %d\" ", columns * wide + 24, rows * high + 28
  print "font-family=\"ui-monospace,SFMono-Regular,Menlo,Consolas,monospace\" font-size=\"14\">"
  print "<style>text{white-space:pre}g{visibility:hidden;animation:none}"
  at = 0
  for (i = 1; i <= frames; i++) {
    from = at / shown * 100; at += lasts[i]; to = at / shown * 100
    printf "@keyframes f%d{%s%.2f%%{visibility:visible}", i, (i > 1 ? "0%{visibility:hidden}" : ""), from
    printf "%s}#f%d{animation:f%d %.1fs step-end infinite}\n", \
      (i < frames ? sprintf("%.2f%%{visibility:hidden}", to) : ""), i, i, total
  }
  print "</style>"
  printf "<rect width=\"100%%\" height=\"100%%\" rx=\"8\" fill=\"#0d1117\"/>\n"
  for (i = 1; i <= frames; i++) printf "<g id=\"f%d\">\n%s</g>\n", i, frame[i]
  print "</svg>"
}
