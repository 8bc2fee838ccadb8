// A part of the rows for each of several processes: which part a row belongs to depends on the row alone.

import { createHash } from 'node:crypto'
import { ownValue } from '../base/record.ts'
import { usageError } from '../errors.ts'

/** Part number `index`, counted from 0, of `of` parts. */
export interface Shard {
  index: number
  of: number
}

/** The variables in which schedulers number their tasks from 0, in the order in which they are read. */
export const shardVariables = [
  'JOB_COMPLETION_INDEX',
  'AWS_BATCH_JOB_ARRAY_INDEX',
  'CLOUD_RUN_TASK_INDEX',
  'SLURM_ARRAY_TASK_ID',
] as const

/** The variables in which the same schedulers report the number of tasks; Slurm's counts only those of this submission. */
const sizeVariables: Readonly<Record<string, string>> = {
  AWS_BATCH_JOB_ARRAY_INDEX: 'AWS_BATCH_JOB_ARRAY_SIZE',
  CLOUD_RUN_TASK_INDEX: 'CLOUD_RUN_TASK_COUNT',
}

const mostShards = 10_000

/**
 * Reads `2/8`, or `auto/8` with the index from the environment of a scheduler.
 *
 * Throws `usage` for anything else, for an index that is not below the number of shards, and for `auto` where no
 * scheduler numbers this task, or one reports more or fewer tasks than shards.
 */
export function parseShard(given: string, env: Readonly<Record<string, string | undefined>>): Shard {
  const [, index = '', of = ''] = /^(auto|\d{1,5})\/(\d{1,5})$/.exec(given) ?? []
  const shards = Number(of)
  if (index === '' || shards < 1 || shards > mostShards) {
    throw usageError(`the shard "${given}" is not like 0/4 or auto/4`, 'shards are numbered from 0')
  }
  const found = index === 'auto' ? taskIndex(env) : { text: index, from: '--shard' }
  const number = /^\d{1,5}$/.test(found.text) ? Number(found.text) : Number.NaN
  if (number < shards) {
    mustBeAllTasks(shards, env, found.from)
    return { index: number, of: shards }
  }
  throw usageError(
    `${found.from} says shard "${found.text}", which is not one of 0 to ${shards - 1}`,
    'shards are numbered from 0',
  )
}

// ASSUMED A516: a scheduler with another number of tasks is refused, or the rows of shards without a task are never sent.
function mustBeAllTasks(shards: number, env: Readonly<Record<string, string | undefined>>, indexFrom: string): void {
  const variable = ownValue(sizeVariables, indexFrom)
  const tasks = variable === undefined ? undefined : env[variable]
  if (variable === undefined || tasks === undefined || Number(tasks) === shards) return
  throw usageError(
    `${variable} says that there are ${tasks} tasks, --shard that there are ${shards} shards`,
    `--shard auto/${tasks}`,
  )
}

/** Returns a shard in the form of the flag: `1/4`. */
export function shardText({ index, of }: Shard): string {
  return `${index}/${of}`
}

function taskIndex(env: Readonly<Record<string, string | undefined>>): { text: string; from: string } {
  for (const variable of shardVariables) {
    const text = env[variable]
    if (text !== undefined) return { text, from: variable }
  }
  throw usageError(
    `--shard auto needs the number of this task in ${shardVariables.slice(0, -1).join(', ')} or ${shardVariables.at(-1)}`,
    'name the shard, as in --shard 0/4',
  )
}

/**
 * Returns the shard of a key: the first 48 bits of the SHA-256 of its UTF-8 bytes, modulo the number of shards.
 *
 * Anyone can recompute it; docs/bulk.md has test vectors.
 */
export function shardOf(key: string, shards: number): number {
  return hashOf(key) % shards
}

/** Returns the first 48 bits of the SHA-256 of a text's UTF-8 bytes. */
export function hashOf(text: string): number {
  return createHash('sha256').update(text, 'utf8').digest().readUIntBE(0, 6)
}
