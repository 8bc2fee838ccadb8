// The completion scripts. Each only asks `promo complete`, so a script stays right when promo changes.

/** The shells there is a script for. */
export const shells = ['bash', 'zsh', 'fish'] as const

/** The scripts by shell. Each says in its first lines how it is loaded. */
export const scripts: Record<(typeof shells)[number], string> = {
  bash: `# Completion of promo for bash. Load it now with: source <(promo autocomplete bash)
# For every shell, put that line into ~/.bashrc.
_promo() {
  local line
  COMPREPLY=()
  while IFS= read -r line; do
    COMPREPLY+=("\${line%%$'\\t'*}")
  done < <(promo complete -- "\${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null)
}
complete -o default -F _promo promo
`,
  zsh: `#compdef promo
# Completion of promo for zsh. Load it now with: source <(promo autocomplete zsh)
# For every shell, put that line into ~/.zshrc, below compinit.
_promo() {
  local line
  local -a candidates
  while IFS= read -r line; do
    candidates+=("\${\${line%%$'\\t'*}//:/\\\\:}:\${line#*$'\\t'}")
  done < <(promo complete -- "\${(@)words[2,CURRENT]}" 2>/dev/null)
  if (( \${#candidates} )); then _describe promo candidates; else _files; fi
}
compdef _promo promo
`,
  fish: `# Completion of promo for fish. Load it now with: promo autocomplete fish | source
# For every shell: promo autocomplete fish > ~/.config/fish/completions/promo.fish
function __promo_complete
    set -l words (commandline -opc) (commandline -ct)
    promo complete -- $words[2..-1] 2>/dev/null
end
complete -c promo -a '(__promo_complete)'
`,
}
