// Asks for what is missing. Answers become words of the command line, and are read and checked as if typed there.
import type { Asker, Keeper } from '../run/host.ts'
import type { Field, Need, Source } from './needs.ts'
import { askOne, askSome, askSomeOfMany, askText, askYesNo } from './prompts.ts'

/** Answers as words: flags as `--name=value`, arguments bare, both in the order they were asked for. */
export interface Answers {
  args: string[]
  flags: string[]
}

/** Asks the user for everything that is missing, one value after the other. */
export async function answersTo(needs: readonly Need[], host: Asker & Keeper, source: Source): Promise<Answers> {
  const answers: Answers = { args: [], flags: [] }
  for (const need of needs) {
    for (const field of await chosenFields(need, host)) {
      if (field.kind === 'argument') answers.args.push(...(await valuesFor(field, host, source)))
      else answers.flags.push(...(await flagWords(field, host, source)))
    }
  }
  return answers
}

/** Which of several alternatives the user chooses. */
async function chosenFields({ fields, isOpen }: Need, host: Asker & Keeper): Promise<readonly Field[]> {
  if (fields.length === 1) return fields
  const choices = fields.map(({ name, definition: { description } }) => ({
    value: name,
    ...(description !== undefined && { about: description }),
  }))
  const names = isOpen
    ? await askSome('at least one of these is needed:', choices, host)
    : [await askOne('one of these is needed:', choices, host)]
  return fields.filter(({ name }) => names.includes(name))
}

async function flagWords(field: Field, host: Asker & Keeper, source: Source): Promise<string[]> {
  const { name, definition } = field
  if (definition.type !== 'boolean') return (await valuesFor(field, host, source)).map((value) => `--${name}=${value}`)
  // Choosing a switch without a --no- form is the answer itself.
  const isOn = !definition.allowNo || (await askYesNo(questionOf(field), host))
  return [isOn ? `--${name}` : `--no-${name}`]
}

async function valuesFor(field: Field, host: Asker & Keeper, source: Source): Promise<string[]> {
  const { definition } = field
  const question = questionOf(field)
  const listed = (await field.choices?.(host, source)) ?? definition.options?.map((value) => ({ value }))
  if (listed !== undefined) {
    return definition.multiple ? await askSomeOfMany(question, listed, host) : [await askOne(question, listed, host)]
  }
  const check = (text: string) => checkAnswer(text, field, host)
  const values = [await askText(question, host, { check })]
  // One at a time: a value may contain blanks, so no separator between two values would be safe.
  while (definition.multiple && !field.isOne) {
    const another = await askText('another one (Enter to finish):', host, { check, isOptional: true })
    if (another === '') break
    values.push(another)
  }
  return values
}

/** Reads an answer with the syntax of the flag itself, before it becomes a word. */
async function checkAnswer(text: string, { definition, check }: Field, host: Asker & Keeper): Promise<void> {
  if (typeof definition.parse === 'function') await definition.parse(text, {}, definition)
  await check?.(text, host)
}

function questionOf({ question, name, definition: { description, type } }: Field): string {
  // An answer is no word of a command line: a dash begins it as any other character does.
  const about = description?.replace(/; [^;]*goes after --$/, '') ?? name
  return question ?? `${about}${type === 'boolean' ? '?' : ':'}`
}
