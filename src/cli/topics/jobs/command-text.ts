// The command line of a job, ready to be pasted into a shell, and how a job is named on one.
import { dirname } from 'node:path'
import { shellWord } from '../../../base/shell-word.ts'
import type { JobFile, JobHeader } from '../../../bulk/journal/job.ts'
import { environmentName } from '../../../profiles/profile.ts'
import type { CommandClass } from '../../command.ts'

/** The original command line of a job; the class is that of its command, and says how its flags are written. */
export function commandText(
  { file, header }: { file: JobFile; header: JobHeader },
  Class: Pick<CommandClass, 'flags'>,
): string {
  const { command, args, flags, shard, profile, undoes } = header
  if (undoes !== undefined) return `promo jobs undo ${shellWord(undoes)}`
  const all: Record<string, unknown> = {
    ...flags,
    ...(shard !== null && { shard: `${shard.index}/${shard.of}` }),
    // An input given by a relative path can then be found from any folder.
    ...(flags.from !== undefined && { from: header.input }),
    // The reserved name for settings from the environment is not a profile that can be named.
    ...(profile !== environmentName && { profile }),
    ...(file.name === file.path && { journal: dirname(file.path) }),
  }
  const options = Object.entries(all).flatMap(([name, value]) => optionWords(name, value, Class))
  const items = Object.values(args).flatMap((value) => (value === undefined ? [] : [value].flat().map(textOf)))
  const end = items.some((item) => item.startsWith('-')) ? ['--'] : []
  const words = ['promo', ...command.split(':')]
  return [...words, ...(end.length === 0 ? items : []), ...options, ...end, ...(end.length === 0 ? [] : items)]
    .map((word) => shellWord(word))
    .join(' ')
}

function optionWords(name: string, value: unknown, Class: Pick<CommandClass, 'flags'>): string[] {
  if (value === undefined || value === null || value === false) return []
  if (value === true) return [`--${name}`]
  if (!Array.isArray(value)) return option(name, textOf(value))
  const isRepeated = Class.flags[name]?.type === 'option' && Class.flags[name].multiple === true
  return isRepeated ? value.flatMap((one) => option(name, textOf(one))) : option(name, value.map(textOf).join(','))
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value)
}

function option(name: string, value: string): string[] {
  return value.startsWith('-') && value !== '-' ? [`--${name}=${value}`] : [`--${name}`, value]
}
