// Completes a line in real shells and returns what each offers at its end. Debian: bash, zsh, fish.
import { spawnSync } from 'node:child_process'
import { chmodSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { bin, environmentIn } from './child.ts'
import { root } from './source-files.ts'

/** Returns what a shell offers at the end of a line. */
export type Complete = (line: string) => string[]

/** Returns the shells by name; in each, `promo` is the real bin with its settings and state below `folder`. */
export function shellsIn(folder: string): Record<'bash' | 'zsh' | 'fish', Complete> {
  const programs = join(folder, 'bin')
  mkdirSync(programs, { recursive: true })
  writeFileSync(join(programs, 'promo'), `#!/bin/sh\nexec '${process.execPath}' '${bin}' "$@"\n`)
  chmodSync(join(programs, 'promo'), 0o755)
  const run = (shell: string, args: string[]) => {
    const { error, stdout, stderr } = spawnSync(shell, args, {
      cwd: root,
      encoding: 'utf8',
      timeout: 60_000,
      env: {
        ...environmentIn(folder),
        PATH: `${programs}:${process.env.PATH}`,
        TERM: 'xterm',
        LC_ALL: 'C.UTF-8',
      },
    })
    if (error) throw error
    if (stderr !== '') throw new Error(stderr)
    return stdout.split(/\r*\n/)
  }
  return {
    bash: (line) => run('bash', ['--norc', '-c', bashScript, 'bash', ...bashWords(line)]).filter((word) => word !== ''),
    zsh: (line) =>
      run('zsh', ['-f', '-c', zshScript, 'zsh', line])
        .filter((hit) => hit.startsWith('hit:'))
        .map((hit) => hit.slice('hit:'.length)),
    fish: (line) =>
      run('fish', ['--no-config', '--command', fishScript, line])
        .filter((candidate) => candidate !== '')
        .map((candidate) => candidate.split('\t', 1)[0] ?? ''),
  }
}

// Bash completes only on a terminal, so its part is imitated: it splits words at blanks and at `=`.
function bashWords(line: string): string[] {
  return line.split(' ').flatMap((word) => {
    const [flag = '', value] = word.split(/=(.*)/s)
    return value === undefined ? [word] : [flag, '=', ...(value === '' ? [] : [value])]
  })
}

const bashScript = `source <(promo autocomplete bash)
COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1))
_promo 2>&1
printf '%s\\n' "\${COMPREPLY[@]}"
complete -p promo | grep -q -- '-o default' && [ \${#COMPREPLY[@]} = 0 ] && compgen -f -- "\${COMP_WORDS[-1]}"
true`

const fishScript = `promo autocomplete fish | source
complete --do-complete $argv[1]`

// An interactive zsh on a pseudo-terminal of its own, in which Tab is pressed; compadd reports the matches.
const zshScript = `zmodload zsh/zpty
zpty inner zsh -f -i
zpty -w inner 'PROMPT=; autoload -Uz compinit; compinit -u -D; source <(promo autocomplete zsh)
compadd() {
  local -a hits
  if [[ \${@[1,(i)(-|--)]} == *-(O|A|D)\\ * ]]; then builtin compadd "$@"; return; fi
  builtin compadd -A hits "$@"
  builtin compadd "$@"
  local code=$?
  print -rl -- "" hit:$^hits
  return code
}
finish() { print -r -- "finis""hed" }
comppostfuncs=(finish)
bindkey "^I" complete-word
print "rea""dy"'
while zpty -r inner line; do [[ $line == *ready* ]] && break; done
zpty -w -n inner "$1"$'\\t'
while zpty -r inner line; do print -r -- "$line"; [[ $line == *finished* ]] && break; done
zpty -d inner`
