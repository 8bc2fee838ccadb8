// One command as a record for programs: everything needed to call it and to act on its exit code.
import type { DescribedCommand } from './manifest.ts'

/** Returns the record of a command. Names are written as they are typed: `vouchers disable`, `--from`. */
export function commandRecord({ id, aliases, args, flags, examples, needs, calls, ...rest }: DescribedCommand): object {
  const { summary, description, effect, repeat, columns, reads, exit_codes } = rest
  return {
    command: id.replaceAll(':', ' '),
    effect,
    repeat,
    summary,
    ...(description !== undefined && { description }),
    aliases: aliases.map((alias) => alias.replaceAll(':', ' ')),
    arguments: Object.values(args).map(({ name, required = false, multiple = false, options, ...argument }) => ({
      name,
      required,
      multiple,
      ...(options && { values: options }),
      description: argument.description,
    })),
    flags: Object.values(flags)
      .filter(({ hidden }) => !hidden)
      .map(({ name, char, type, options, required = false, multiple = false, allowNo = false, ...flag }) => ({
        name: flagWord(name),
        ...(char !== undefined && { short: `-${char}` }),
        takes_value: type === 'option',
        ...(flag.helpValue !== undefined && { value: flag.helpValue }),
        ...(options && { values: options }),
        required,
        multiple,
        ...(flag.default !== undefined && { default: flag.default }),
        ...(flag.exclusive && { excludes: flag.exclusive.map(flagWord) }),
        ...(flag.dependsOn && { requires: flag.dependsOn.map(flagWord) }),
        ...(allowNo && { no_form: `--no-${name}` }),
        ...(flag.helpGroup !== undefined && { group: flag.helpGroup.toLowerCase() }),
        description: flag.description,
      })),
    needs,
    calls,
    columns,
    ...(reads !== undefined && { reads }),
    exit_codes,
    examples,
  }
}

function flagWord(name: string): string {
  return `--${name}`
}
