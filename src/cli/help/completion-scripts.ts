// The completion scripts. Each only calls `promo complete`, so a script stays correct when promo changes.

/** The shells that have a script. */
export const shells = ['bash', 'zsh', 'fish', 'powershell'] as const

/** The scripts by shell. The first lines of each say how to load it. */
export const scripts: Record<(typeof shells)[number], string> = {
  bash: `# Completion of promo for bash. Load it now with: source <(promo autocomplete bash)
# For every shell, put that line into ~/.bashrc.
_promo() {
  local line
  COMPREPLY=()
  compopt -o nosort 2>/dev/null
  while IFS= read -r line; do
    COMPREPLY+=("\${line%%$'\\t'*}")
  done < <(promo complete -- "\${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null)
}
complete -o default -F _promo promo
`,
  zsh: `#compdef promo
# Completion of promo for zsh. Load it now with: source <(promo autocomplete zsh)
# For every shell, put that line into ~/.zshrc, below compinit; or: promo autocomplete zsh > _promo, in a folder of $fpath.
_promo() {
  local line
  local -a candidates
  while IFS= read -r line; do
    candidates+=("\${\${line%%$'\\t'*}//:/\\\\:}:\${line#*$'\\t'}")
  done < <(promo complete -- "\${(@)words[2,CURRENT]}" 2>/dev/null)
  if (( \${#candidates} )); then _describe -V promo candidates; else _files; fi
}
if [[ \${funcstack[1]} == _promo ]]; then _promo "$@"; else compdef _promo promo; fi
`,
  fish: `# Completion of promo for fish. Load it now with: promo autocomplete fish | source
# For every shell: promo autocomplete fish > ~/.config/fish/completions/promo.fish
function __promo_complete
    set -l words (commandline -opc) (commandline -ct)
    set -l candidates (promo complete -- $words[2..-1] 2>/dev/null)
    if set -q candidates[1]
        printf '%s\\n' $candidates
    else
        __fish_complete_path (commandline -ct)
    end
end
complete -c promo -f -k -a '(__promo_complete)'
`,
  // An empty word is passed as a space, because most PowerShells pass no empty argument to a program.
  powershell: `# Completion of promo for PowerShell. Load it now with: promo autocomplete powershell | Out-String | Invoke-Expression
# For every session, put that line into the file that $PROFILE names.
Register-ArgumentCompleter -Native -CommandName promo -ScriptBlock {
  param($wordToComplete, $commandAst, $cursorPosition)
  $words = @($commandAst.CommandElements | Select-Object -Skip 1 |
    Where-Object { $_.Extent.EndOffset -le $cursorPosition } | ForEach-Object { "$_" })
  if ($wordToComplete -eq '') { $words += ' ' }
  promo complete '--' $words 2>$null | ForEach-Object {
    $value, $about = $_ -split "\`t", 2
    if (-not $about) { $about = $value }
    [System.Management.Automation.CompletionResult]::new($value, $value, 'ParameterValue', $about)
  }
}
`,
}
