import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { expect, test } from 'vitest'
import { timeOrderedIds } from '../../../../src/sandbox/id.ts'
import { resources } from '../../../../src/sandbox/resources.ts'
import { type Collection, collection, type Stored } from '../../../../src/sandbox/storage/collection.ts'
import { is, isIn } from '../../../../src/sandbox/storage/conditions.ts'
import { HalfWritten } from '../../../../src/sandbox/storage/database.ts'
import { createSchema } from '../../../../src/sandbox/storage/schema.ts'
import { openStore, type Store } from '../../../../src/sandbox/storage/store.ts'
import { type Table, tableOf } from '../../../../src/sandbox/storage/table.ts'

interface Note extends Stored {
  shelf: string
  name?: string | null
}

const notes = collection<Note>('notes', 'note', 'n_', { key: 'name', indexed: { shelf: 'text' }, tallied: 'shelf' })

function shelf(count: number) {
  const store = openStore(':memory:', [notes])
  const table = store.in(notes, 'proj_1')
  for (let n = 1; n <= count; n += 1)
    table.insert({ id: `n_${n}`, created_at: `2026-01-0${n}`, shelf: n % 2 === 1 ? 'odd' : 'even', name: `note ${n}` })
  return { store, table }
}

test('every sandbox in memory has the tables of a file, and none has the objects of another', () => {
  const file = join(mkdtempSync(join(tmpdir(), 'promo-tables-')), 'sandbox.db')
  const declarations = resources.flatMap((resource) => resource.collections ?? [])
  // The third one in memory, and those after it, are copies.
  const [inFile, ...inMemory] = [file, ...Array<string>(4).fill(':memory:')].map((where) => {
    const store = openStore(where, [...declarations, notes])
    const schema = store.db.all('SELECT type, name, tbl_name, sql FROM sqlite_schema ORDER BY rowid')
    const facts = store.db.all(
      'SELECT application_id, user_version, foreign_keys, value FROM pragma_application_id, pragma_user_version, pragma_foreign_keys, meta',
    )
    const count = store.in(notes, 'proj_1').count()
    store.in(notes, 'proj_1').insert({ id: 'n_1', created_at: '2026-01-01', shelf: 'odd' })
    store.close()
    return { schema, facts, count }
  })

  expect(inFile?.schema.length).toBeGreaterThan(100)
  expect(inMemory).toEqual(Array(4).fill(inFile))
  expect(inFile?.count).toBe(0)
})

test.each([
  ['no rows', 0, []],
  ['one row', 1, [['n_1']]],
  ['exactly one page', 2, [['n_1', 'n_2']]],
  ['several pages', 5, [['n_1', 'n_2'], ['n_3', 'n_4'], ['n_5']]],
])('a cursor walks %s to the end, each row once', (_, count, expected) => {
  const { table } = shelf(count)

  const pages: string[][] = []
  let after: string | undefined
  for (let more = count > 0; more; ) {
    const page = table.cursor([], 'id', 2, after)
    pages.push(page.items.map((note) => note.id))
    after = page.more_starting_after
    more = page.has_more
  }

  expect(pages).toEqual(expected)
})

test('a cursor page states where the next one starts only when there is one', () => {
  const { table } = shelf(3)

  expect(table.cursor([], '-id', 2)).toMatchObject({ has_more: true, more_starting_after: 'n_2' })
  expect(table.cursor([], '-id', 2, 'n_2')).toEqual({
    items: [expect.objectContaining({ id: 'n_1' })],
    has_more: false,
  })
})

test.each(['id', '-id'] as const)('a page as text has what a page of objects has, in the order %s', (order) => {
  const { table } = shelf(5)
  const where = [is(notes, 'shelf', 'odd')]

  for (const limit of [1, 2, 3, 4])
    for (const after of [undefined, 'n_1', 'n_3', 'n_5']) {
      const { items, ...rest } = table.cursor(where, order, limit, after)
      expect(table.cursorText(where, order, limit, after)).toEqual({ text: JSON.stringify(items), ...rest })
    }
})

test('objects are counted by several values at once, those that are binned or gone left out', () => {
  const { store, table } = shelf(5)
  table.bin('n_1')
  table.remove('n_2')

  expect(table.counts(['odd', 'even', 'none'])).toEqual(
    new Map([
      ['odd', 2],
      ['even', 1],
    ]),
  )
  expect(table.counts([])).toEqual(new Map())
  expect(store.in(notes, 'proj_2').counts(['odd'])).toEqual(new Map())
})

test('a cursor respects its conditions, and lists a row that is added after it, not one before', () => {
  const { table } = shelf(5)
  const where = [is(notes, 'shelf', 'odd')]
  const first = table.cursor(where, 'id', 2)
  for (const id of ['n_0', 'n_9']) table.insert({ id, created_at: '', shelf: 'odd' })

  const next = table.cursor(where, 'id', 2, first.more_starting_after)

  expect([first, next].map(({ items }) => items.map(({ id }) => id))).toEqual([
    ['n_1', 'n_3'],
    ['n_5', 'n_9'],
  ])
})

test('projects do not see each other, even under the same ids and keys', () => {
  const { store, table } = shelf(1)
  const other = store.in(notes, 'proj_2')

  other.insert({ id: 'n_1', created_at: '', shelf: 'other', name: 'note 1' })
  other.remove('n_1')

  expect(table.get('n_1')?.shelf).toBe('odd')
  expect(other.count()).toBe(0)
})

test('several objects are found by their keys, without those of the bin and of other projects', () => {
  const { store, table } = shelf(5)
  store.in(notes, 'proj_2').insert({ id: 'n_9', created_at: '', shelf: 'x', name: 'note 9' })
  table.bin('n_4')
  const found = (...names: string[]) => table.findAll(names).map(({ id }) => id)

  expect(found()).toEqual([])
  expect(found('note 2')).toEqual(['n_2'])
  expect(found('note 3', 'note 9', 'note 1', 'note 4', 'Note 5').toSorted()).toEqual(['n_1', 'n_3'])
})

test.each(resources.flatMap(({ collections = [] }) => collections.filter(({ key }) => key !== undefined)))(
  'an id of $name wins over the same text as the natural key of another, older or newer',
  (declared) => {
    const table = openStore(':memory:', [declared]).in(declared as Collection<Stored>, 'proj_1')
    const [one, other] = ['1', '2'].map((n) => `${declared.prefix}${n}`) as [string, string]
    const object = (id: string, key: string) => ({ id, created_at: '2026-01-01', [declared.key as string]: key })
    table.insert(object(one, other))
    table.insert(object(other, one))
    table.insert(object(`${declared.prefix}3`, 'plain'))

    expect([one, other, 'plain'].map((text) => table.find(text)?.id)).toEqual([one, other, `${declared.prefix}3`])
    expect([one, other].map((text) => table.findByKey(text)?.id)).toEqual([other, one])
  },
)

test('several objects may have no natural key', () => {
  const { table } = shelf(0)

  for (const id of ['n_1', 'n_2']) table.insert({ id, created_at: '', shelf: 'x', ...(id === 'n_1' && { name: null }) })

  expect(table.count()).toBe(2)
})

test('an object in the bin is hidden from readers, and its key stays taken', () => {
  const { table } = shelf(2)

  expect(table.bin('n_1')).toBe(true)
  expect(table.get('n_1')).toBeUndefined()
  expect(table.find('note 1')).toBeUndefined()
  expect(table.all().map((note) => note.id)).toEqual(['n_2'])
  expect(table.holdsKey('note 1')).toBe(true)
  expect(table.bin('n_1')).toBe(false)
  expect(table.update({ id: 'n_1', created_at: '', shelf: 'x' })).toBe(false)
})

test('an update moves an object in the lists that its change concerns', () => {
  const { table } = shelf(3)

  table.update({ id: 'n_2', created_at: '2026-01-02', updated_at: '2026-02-01', shelf: 'odd', name: 'note 9' })

  expect(table.all([is(notes, 'shelf', 'odd')]).map((note) => note.id)).toEqual(['n_1', 'n_2', 'n_3'])
  expect(table.all([is(notes, 'shelf', 'even')])).toEqual([])
  expect(table.page([], '-updated_at', 1, 1).items[0]?.id).toBe('n_2')
  expect(table.find('note 9')?.id).toBe('n_2')
  expect(table.find('note 2')).toBeUndefined()
})

/** The same database, with what is run or asked noted first. */
function spied(db: Store['db'], ask: 'run' | 'all', note: (sql: string, values: never[]) => unknown): Store['db'] {
  return {
    ...db,
    [ask]: (sql: string, ...values: never[]) => {
      note(sql, values)
      return db[ask](sql, ...values)
    },
  }
}

test('an update writes the columns that differ, and leaves the indexes of the others alone', () => {
  const { store } = shelf(2)
  const written: string[] = []

  const table = tableOf(
    spied(store.db, 'run', (sql) => written.push(sql)),
    notes,
    'proj_1',
  )
  table.update({ id: 'n_2', created_at: '2026-01-02', updated_at: '2026-02-01', shelf: 'even', name: 'note 2' })

  expect(written.map((sql) => sql.match(/"\w+"(?= =)/g))).toEqual([['"updated_at"']])
})

const kept: Collection<Note> = { ...notes, name: 'kept_notes', cached: true }

const fileOf = () => join(mkdtempSync(join(tmpdir(), 'promo-store-')), 'sandbox.db')

function keptTwice() {
  const file = fileOf()
  const [one, other] = [openStore(file, [kept]), openStore(file, [kept])]
  const table = one.in(kept, 'proj_1')
  table.insert({ id: 'n_1', created_at: '2026-01-01', shelf: 'odd', name: 'note 1' })
  const look = () => [
    table.get('n_1')?.shelf,
    table.find('note 2')?.id,
    table.all([is(kept, 'shelf', 'even')]).map(({ id }) => id),
  ]
  return { one, other, table, seen: () => one.reading(() => twice(look)) }
}

/** What one connection sees, twice: the second time nothing is read. */
function twice<T>(look: () => T): T {
  const first = look()
  expect(look()).toEqual(first)
  return first
}

const change = (table: Table<Note>) => {
  table.update({ id: 'n_1', created_at: '2026-01-01', shelf: 'even', name: 'note 1' })
  table.insert({ id: 'n_2', created_at: '2026-01-02', shelf: 'even', name: 'note 2' })
}

test('what is kept in memory is read once, and follows every write of its own connection', () => {
  const { one, table, seen } = keptTwice()
  const before = seen()
  const reads = one.transaction(() => {
    const unread = { ...one.db, get: () => expect.fail('read'), all: () => expect.fail('read') }
    return tableOf(unread as typeof one.db, kept, 'proj_1').get('n_1')?.shelf
  })

  expect([before, reads]).toEqual([['odd', undefined, []], 'odd'])
  change(table)
  expect(seen()).toEqual(['even', 'n_2', ['n_1', 'n_2']])
  table.update({ id: 'n_2', created_at: '2026-01-02', shelf: 'even', name: 'note 3' })
  expect(seen()).toEqual(['even', undefined, ['n_1', 'n_2']])
  table.bin('n_1')
  table.remove('n_2')
  expect(seen()).toEqual([undefined, undefined, []])
})

test('what is kept in memory follows what another process writes', () => {
  const { other, seen } = keptTwice()
  expect(seen()).toEqual(['odd', undefined, []])

  change(other.in(kept, 'proj_1'))

  expect(seen()).toEqual(['even', 'n_2', ['n_1', 'n_2']])
})

test.each([
  ['a transaction', (one: ReturnType<typeof openStore>, work: () => void) => one.transaction(work)],
  ['a request', (one: ReturnType<typeof openStore>, work: () => void) => one.transaction(() => one.savepoint(work))],
])('what %s wrote, kept in memory and took back is not seen', (_, within) => {
  const { one, table, seen } = keptTwice()
  const undone = () =>
    within(one, () => {
      change(table)
      expect(seen()).toEqual(['even', 'n_2', ['n_1', 'n_2']])
      throw new Error('undone')
    })

  expect(undone).toThrow('undone')

  expect(seen()).toEqual(['odd', undefined, []])
})

const rare: Collection<Note> = { ...notes, name: 'rare_notes', usuallyEmpty: true }

function foundTwice() {
  const file = fileOf()
  const [one, other] = [openStore(file, [notes, rare]), openStore(file, [notes, rare])]
  const of = (store: typeof one) => ({ notes: store.in(notes, 'proj_1'), rare: store.in(rare, 'proj_1') })
  for (const n of [1, 2]) of(one).notes.insert({ id: `n_${n}`, created_at: '2026', shelf: 'odd', name: `note ${n}` })
  const look = () => [
    ...of(one)
      .notes.findAll(['note 1', 'note 2', 'note 3'])
      .map(({ id, shelf }) => `${id} ${shelf}`)
      .toSorted(),
    ...of(one)
      .rare.all()
      .map(({ id }) => id),
  ]
  return { one, seen: () => one.transaction(() => twice(look)), mine: of(one), theirs: of(other) }
}

const note = (n: number, shelf = 'odd') => ({ id: `n_${n}`, created_at: '2026', shelf, name: `note ${n}` })
const changes: Array<[string, (tables: ReturnType<typeof foundTwice>['mine']) => unknown, string[]]> = [
  ['changed', ({ notes }) => notes.update(note(1, 'even')), ['n_1 even', 'n_2 odd']],
  ['moved to the bin', ({ notes }) => notes.bin('n_1'), ['n_2 odd']],
  ['removed', ({ notes }) => notes.remove('n_2'), ['n_1 odd']],
  ['added', ({ notes }) => notes.insert(note(3)), ['n_1 odd', 'n_2 odd', 'n_3 odd']],
  ['added where nothing was', ({ rare }) => rare.insert(note(4)), ['n_1 odd', 'n_2 odd', 'n_4']],
]

test.each(changes)(
  'what was found by its key and is %s is seen so, and seen as before when that is undone',
  (_, make, after) => {
    const { one, seen, mine } = foundTwice()
    const before = seen()
    const undone = () =>
      one.transaction(() => {
        make(mine)
        expect(seen()).toEqual(after)
        throw new Error('undone')
      })

    expect(undone).toThrow('undone')

    expect(seen()).toEqual(before)
    expect(() => one.transaction(() => one.savepoint(undone))).toThrow('undone')
    expect(seen()).toEqual(before)
    make(mine)
    expect(seen()).toEqual(after)
  },
)

test.each(changes)('what another process has %s is found so', (_, make, after) => {
  const { seen, theirs } = foundTwice()
  seen()

  make(theirs)

  expect(seen()).toEqual(after)
})

test('a request that writes nothing sets no savepoint, and one that fails undoes its own writes alone', () => {
  const { one, seen, mine } = foundTwice()
  const failing = (n?: number) => () => {
    if (n !== undefined) mine.notes.insert(note(n))
    throw new Error('refused')
  }

  one.transaction(() => {
    for (const n of [undefined, 8]) expect(() => one.savepoint(failing(n))).toThrow()
    one.savepoint(() => {
      expect(() => one.savepoint(failing(9))).toThrow()
      mine.rare.insert(note(4))
    })
  })

  expect(seen()).toEqual(['n_1 odd', 'n_2 odd', 'n_4'])
  expect(mine.notes.count()).toBe(2)
})

test.each([
  ['before it wrote', 1],
  ['after it wrote', 2],
  ['when its transaction had ended', 2],
])('of acts that share a transaction, one that fails %s is undone alone', (when, runs) => {
  const { one, seen, mine } = foundTwice()
  const put = (id: string) => mine.rare.insert({ id, created_at: '2026', shelf: 'odd', name: id })
  let run = 0

  one.piecewise((undoable) => {
    run += 1
    undoable(() => put('n_3'))
    const failing = () => {
      if (when === 'after it wrote') put('n_8')
      if (when === 'when its transaction had ended' && run === 1) one.db.script('ROLLBACK')
      throw new Error('refused')
    }
    try {
      undoable(failing)
    } catch (error) {
      if (error instanceof HalfWritten) throw error
    }
    undoable(() => put('n_4'))
  })

  expect([run, mine.rare.count(), seen()]).toEqual([runs, 2, ['n_1 odd', 'n_2 odd', 'n_3', 'n_4']])
})

test('what is kept in memory is computed from nothing that others may change', () => {
  const declared = resources.flatMap(({ collections = [] }) => collections)

  expect(declared.filter(({ cached }) => cached).length).toBeGreaterThan(5)
  expect(declared.filter(({ cached, computed }) => cached && computed).map(({ name }) => name)).toEqual([])
})

test('work that only reads cannot write, and does not keep others from writing', () => {
  const { one, other, table, seen } = keptTwice()

  expect(() => one.reading(() => change(table))).toThrow('a write by work that only reads')

  expect(seen()).toEqual(['odd', undefined, []])
  change(other.in(kept, 'proj_1'))
  table.insert({ id: 'n_3', created_at: '2026-01-03', shelf: 'even', name: 'note 3' })
  expect(seen()).toEqual(['even', 'n_2', ['n_1', 'n_2', 'n_3']])
})

test('what is kept in memory cannot be changed by those who read it', () => {
  const { one, table } = keptTwice()

  one.reading(() => {
    const note = table.get('n_1') as Note
    expect(() => Object.assign(note, { shelf: 'mine' })).toThrow(TypeError)
    expect(() => table.all().pop()).toThrow(TypeError)
    expect(table.get('n_1')?.shelf).toBe('odd')
  })
})

test('the count of all objects follows every change, also an undone one', () => {
  const { store, table } = shelf(4)
  const undone = () =>
    store.transaction(() => {
      table.remove('n_3')
      for (const id of ['n_8', 'n_9']) table.insert({ id, created_at: '', shelf: 'x' })
      throw new Error('undone')
    })

  for (const act of ['bin', 'bin', 'remove'] as const) table[act]('n_1')
  for (const _ of [1, 2]) table.remove('n_2')
  expect(undone).toThrow('undone')

  expect(table.count()).toBe(2)
  expect(table.page([], 'id', 1, 1).total).toBe(2)
  expect(table.all().map((note) => note.id)).toEqual(['n_3', 'n_4'])
})

test.each([
  ['comes', (table: Table<Note>) => table.insert({ id: 'n_9', created_at: '', shelf: 'odd' }), 3, 1],
  ['is moved', (table: Table<Note>) => table.update({ id: 'n_2', created_at: '', shelf: 'odd' }), 3, 0],
  ['goes to the bin', (table: Table<Note>) => table.bin('n_1'), 1, 1],
  ['is removed', (table: Table<Note>) => table.remove('n_1'), 1, 1],
  ['is removed from the bin', (table: Table<Note>) => [table.bin('n_1'), table.remove('n_1')], 1, 1],
])('the count of a shelf is right when a note %s', (_, change, odd, even) => {
  const { table } = shelf(3)

  change(table)

  expect(table.count([is(notes, 'shelf', 'odd')])).toBe(odd)
  expect(table.count([is(notes, 'shelf', 'even')])).toBe(even)
  expect(table.count([is(notes, 'shelf', 'none')])).toBe(0)
  expect(table.count([is(notes, 'shelf', '')])).toBe(0)
  expect(table.count([isIn(notes, 'shelf', ['even', 'none'])])).toBe(even)
  expect(table.count([is(notes, 'shelf', 'odd'), is(notes, 'name', 'note 3')])).toBe(1)
  expect(table.count([is(notes, 'shelf', null)])).toBe(0)
  expect(table.all([is(notes, 'shelf', 'odd')])).toHaveLength(odd)
})

test('an order that is not declared is a bug of the caller', () => {
  const { table } = shelf(1)

  expect(() => table.page([], 'doc', 10, 1)).toThrow('declares no order doc')
})

const planOf = (db: Store['db'], sql: string, values: never[]) =>
  db.all<{ detail: string }>(`EXPLAIN QUERY PLAN ${sql}`, ...values).map((step) => step.detail)

test.each(['id', '-id', 'created_at', '-created_at', 'updated_at', 'shelf', '-shelf', 'name', '-name'])(
  'listing by %s uses an index and sorts nothing',
  (order) => {
    const { store } = shelf(3)
    const plans: string[] = []
    const db = spied(store.db, 'all', (sql, values) => plans.push(...planOf(store.db, sql, values)))

    tableOf(db, notes, 'proj_1').page([], order, 10, 1)

    expect(plans.join()).toMatch(/USING (COVERING )?INDEX/)
    expect(plans.join()).not.toMatch(/TEMP B-TREE/)
  },
)

test('a cursor seeks in an index, also within a parent', () => {
  const sql =
    'SELECT doc FROM notes WHERE (project_id = ? AND binned = 0 AND shelf IS ? AND id > ?) ORDER BY id LIMIT ?'

  expect(planOf(shelf(3).store.db, sql, ['p', 'x', 'n_1', 2] as never[]).join()).toMatch(
    /USING INDEX notes\.shelf \(project_id=\? AND binned=\? AND shelf=\? AND id>\?\)$/,
  )
})

test('a column that is declared later is filled for older rows', () => {
  const { store } = shelf(2)
  const wider: Collection<Note> = { ...notes, indexed: { shelf: 'text', colour: 'text' } }

  createSchema(store.db, [wider])

  expect(store.in(wider, 'proj_1').count([is(wider, 'colour', null)])).toBe(2)
})

const { tallied: _tallied, ...untallied } = notes
const { indexed: _indexed, ...unindexed } = untallied

test.each<[string, Collection<Note>[], Collection<Note>]>([
  ['by an older promo in a file of a newer one', [notes], unindexed],
  ['before its field was tallied', [], untallied],
])('what is stored %s is found and counted', (_, before, older) => {
  const file = fileOf()
  if (before.length > 0) openStore(file, before).close()
  const store = openStore(file, [older])
  store.in(older, 'proj_1').insert({ id: 'n_1', created_at: '', shelf: 'odd' })
  store.close()

  const newer = openStore(file, [notes])
  const table = newer.in(notes, 'proj_1')

  expect(table.all([is(notes, 'shelf', 'odd')])).toHaveLength(1)
  expect(table.count([is(notes, 'shelf', 'odd')])).toBe(1)
  newer.close()
})

function firstVersion(): string {
  const file = fileOf()
  const db = new DatabaseSync(file)
  const computed = ['created_at', 'updated_at', 'name', 'shelf'].map(
    (name) => `"${name}" ANY GENERATED ALWAYS AS (doc ->> '$.${name}') VIRTUAL`,
  )
  db.exec(`PRAGMA journal_mode=WAL; PRAGMA application_id=${0x50524d4f}; PRAGMA user_version=1;
    CREATE TABLE "notes" (project_id TEXT NOT NULL, id TEXT NOT NULL, doc TEXT NOT NULL,
      binned INTEGER NOT NULL DEFAULT 0, ${computed.join(', ')}, UNIQUE (project_id, id)) STRICT;
    CREATE UNIQUE INDEX "notes.name" ON "notes" (project_id, "name");
    CREATE INDEX "notes.shelf" ON "notes" (project_id, binned, "shelf", id);
    CREATE TABLE event_customers (project_id TEXT NOT NULL, customer_id TEXT NOT NULL, seq INTEGER NOT NULL,
      PRIMARY KEY (project_id, customer_id, seq)) STRICT, WITHOUT ROWID;
    INSERT INTO event_customers VALUES ('proj_1', 'cust_1', 7)`)
  const insert = db.prepare("INSERT INTO notes (project_id, id, doc, binned) VALUES ('proj_1', ?, ?, ?)")
  for (const [n, binned] of [0, 1, 0].entries()) insert.run(`n_${n}`, JSON.stringify(note(n)), binned)
  db.close()
  return file
}

test('a file of the first version is converted with all its objects, those in the bin included', () => {
  const file = firstVersion()

  openStore(file, [notes]).close()
  const store = openStore(file, [notes])

  const table = store.in(notes, 'proj_1')
  expect(table.all([is(notes, 'shelf', 'odd')]).map((note) => note.id)).toEqual(['n_0', 'n_2'])
  expect(table.count()).toBe(2)
  expect(table.count([is(notes, 'shelf', 'odd')])).toBe(2)
  expect(table.find('note 2')?.id).toBe('n_2')
  expect(table.holdsKey('note 1')).toBe(true)
  table.update({ id: 'n_2', created_at: '', shelf: 'even' })
  expect(table.all([is(notes, 'shelf', 'even')]).map((note) => note.id)).toEqual(['n_2'])
  expect(() => table.insert({ id: 'n_5', created_at: '', shelf: 'x', name: 'note 0' })).toThrow('UNIQUE')
  expect(store.db.all('SELECT * FROM event_subjects')).toEqual([{ project_id: 'proj_1', subject_id: 'cust_1', seq: 7 }])
  store.close()
})

test('a file of the first version that a server has open is not converted', () => {
  const file = firstVersion()
  const db = new DatabaseSync(file)
  db.exec('CREATE TABLE holders (n INTEGER PRIMARY KEY, pid INTEGER NOT NULL, url TEXT NOT NULL, since TEXT NOT NULL)')
  db.prepare('INSERT INTO holders (pid, url, since) VALUES (?, ?, ?)').run(process.pid, '', '')
  db.close()

  expect(() => openStore(file, [notes])).toThrow(
    `process ${process.pid} has the sandbox file open with an earlier version of promo`,
  )
})

test('ids increase within a millisecond and when the clock steps back', () => {
  const times = [1000, 1000, 900, 1001]
  const id = timeOrderedIds(
    () => times.shift() ?? 0,
    () => 0.999_999_99,
  )

  const made = [id('v_'), id('v_'), id('v_'), id('v_')]

  expect(made.toSorted()).toEqual(made)
  expect(new Set(made).size).toBe(4)
  for (const one of made) expect(one).toMatch(/^v_[0-9a-f]{18}$/)
})
