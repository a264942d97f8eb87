#!/bin/sh
# gallery.sh PROGRAM PAGE.md [screens] -- one picture for each question: the commands below are run, and the page shows what they draw
set -eu

program=$1
page=$2
shots=${3:-}
folder=$(dirname "$page")/gallery
mkdir -p "$folder"

# Name of the picture, what it shows, and the command without its --plot.
examples() {
  cat <<'END'
predict|Which exchange strategy is the fastest, from 8 to 256 GPUs? Bands are the range of 90 %|predict --matrix audikw_1 --gpus 8,16,32,64,128,256
strategies|Which one wins for which size and number of messages?|sweep --over strategy --machine lassen-spectrum
max-rate|When does a node's injection limit apply?|sweep max-rate --machine lassen m=1 --over s=1KiB:16MiB:x2 --over ppn=1,4,16,40
cross|From which size on does rendezvous pay?|cross rendezvous:protocol=eager rendezvous:protocol=rendezvous --machine bxi n_c=2 --over s=1B:1MiB
sensitivity|Which number of the machine changes the answer most?|sensitivity --matrix audikw_1 --gpus 64
fit|How well do the fitted lines match a log?|fit examples/osu_latency.log --locality off-node
netsparse|What does every step of NetSparse gain?|netsparse --matrix NotreDame_www --nodes 32 --k 16 --ablation
delay|How long should requests wait to share a packet?|netsparse --matrix NotreDame_www --nodes 32 --k 16 --sweep delay
sharp|Allreduce in the switches compared with the hosts' own|sharp allreduce hosts=128
barrier|From how many hosts on does a barrier in the switches pay?|sharp barrier
netcrafter|What stitching, trimming and sequencing gain between GPU clusters|netcrafter walk_time=0.1
rails|One long message over two and four rails|redsea rails
END
}

# What a terminal of 80 x 24, a report and the page in a browser show: with `screens`, pictures by Chromium anew.
shoot() { # NAME SIZE SECONDS URL
  tools/screenshot.py "$2" "$3" "$4" "$folder/$1.png"
}
# shellcheck disable=SC2016 # the backticks are Markdown's
screens() {
  made=$(mktemp -d)
  if [ "$shots" = screens ] && command -v chromedriver > /dev/null; then
    {
      echo '<!doctype html><meta charset="utf-8"><body style="margin:0;background:#111"><pre style="margin:8px;color:#eee;font:14px/18px monospace">'
      { echo '$ nsmodel predict audikw_1 --gpus 16,64,256'; COLUMNS=80 "$program" predict audikw_1 --gpus 16,64,256; } | head -n 24 |
        sed 's/&/\&amp;/g; s/</\&lt;/g'
    } > "$made/terminal.html"
    "$program" report --matrix audikw_1 --gpus 16,64,256 -o "$made/report.html" > /dev/null
    shoot terminal 700x320 0 "file://$made/terminal.html"
    shoot report 1000x1100 1 "file://$made/report.html"
    [ ! -e web/nsmodel.html ] || shoot web 1000x1300 8 "file://$PWD/web/nsmodel.html#exchange?matrix=rajat01&parts=8%2C16%2C64"
  fi
  rm -r "$made"
  printf '\n## In a terminal of 80 columns and 24 lines\n\n![predict](gallery/terminal.png)\n'
  printf '\n## The head of a report\n\n```\nnsmodel report --matrix audikw_1 --gpus 16,64,256 -o report.html\n```\n\n![report](gallery/report.png)\n'
  printf '\n## The page in a browser\n\n`make web` builds it ([web.md](web.md)).\n\n![web](gallery/web.png)\n'
}

# shellcheck disable=SC2016 # backticks are Markdown's
{
  echo '# Gallery'
  echo
  echo 'The command above each picture draws it; omit `--plot FILE` for the table, or choose a FILE that ends in .png or .pdf.'
  echo '`make gallery` writes this page.'
  examples | while IFS='|' read -r name title command; do
    # shellcheck disable=SC2086 # words of a command line
    "$program" $command --plot "$folder/$name.svg" > "$folder/$name.txt" 2>&1 || {
      echo "gallery.sh: nsmodel $command: $(cat "$folder/$name.txt")" >&2
      exit 1
    }
    rm "$folder/$name.txt"
    printf '\n## %s\n\n```\nnsmodel %s --plot %s.svg\n```\n\n![%s](gallery/%s.svg)\n' "$title" "$command" "$name" "$title" "$name"
  done
  screens
} > "$page.new"
mv "$page.new" "$page"
