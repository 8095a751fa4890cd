/**
 * The library that the demo works on: a corner shop, plain ES modules. `src/cache.js` calls a function by a name that
 * it puts together at run time, which no search for that name can find: the trap of the rename's third step.
 */
export const SHOP_SOURCES: Readonly<Record<string, string>> = {
  'package.json': `{
  "name": "corner-shop",
  "version": "1.0.0",
  "private": true,
  "type": "module",
  "exports": "./src/index.js",
  "scripts": { "test": "node --test" }
}
`,
  'README.md': `# Corner shop

Users, products and orders in memory.

- \`createUser\` and \`fetchUser\` keep the users, \`listUsers\` lists them.
- \`userDiscount\` says what a user saves, \`userReport\` what a user bought.

Run the tests with \`node --test\`.
`,
  'src/records.js': `/** Where users, products and orders are kept. */
const tables = { User: new Map(), Product: new Map(), Order: new Map() };
const counters = { User: 0, Product: 0, Order: 0 };

export class UserNotFoundError extends Error {
  constructor(id) {
    super('There is no user ' + id);
    this.name = 'UserNotFoundError';
  }
}

function nextId(kind) {
  counters[kind] += 1;
  return kind[0].toLowerCase() + counters[kind];
}

function insert(kind, fields) {
  const row = { id: nextId(kind), ...fields };
  tables[kind].set(row.id, row);
  return row;
}

export function createUser(firstName, lastName, since) {
  return insert('User', { firstName, lastName, since });
}

export function createProduct(name, cents) {
  return insert('Product', { name, cents });
}

export function createOrder(userId, month) {
  return insert('Order', { userId, month, lines: [], open: true });
}

export function fetchUser(id) {
  const user = tables.User.get(id);
  if (!user) throw new UserNotFoundError(id);
  return user;
}

export function fetchProduct(id) {
  return tables.Product.get(id);
}

export function fetchOrder(id) {
  return tables.Order.get(id);
}

export function listUsers() {
  return [...tables.User.values()];
}

export function listOrders() {
  return [...tables.Order.values()];
}

export function removeEverything() {
  for (const table of Object.values(tables)) table.clear();
}
`,
  'src/cache.js': `import * as records from './records.js';

const kept = new Map();

/** Reads a record of any kind again and keeps it. */
export function refresh(kind, id) {
  const load = records['fetch' + kind];
  if (!load) throw new TypeError('records has no function fetch' + kind);
  const row = load(id);
  kept.set(kind + ':' + id, row);
  return row;
}

export function cached(kind, id) {
  return kept.get(kind + ':' + id) ?? refresh(kind, id);
}

/** Fills the cache; each entry is a kind and an id. */
export function warmUp(entries) {
  for (const [kind, id] of entries) refresh(kind, id);
  return kept.size;
}

export function isKept(kind, id) {
  return kept.has(kind + ':' + id);
}

export function emptyCache() {
  kept.clear();
}
`,
  'src/names.js': `export function formatUserName(user) {
  return user.lastName + ', ' + user.firstName;
}

export function initials(user) {
  return user.firstName[0] + user.lastName[0];
}

export function sortByName(users) {
  return [...users].sort((a, b) => formatUserName(a).localeCompare(formatUserName(b)));
}

export function greeting(user) {
  return 'Dear ' + user.firstName;
}
`,
  'src/pricing.js': `export function roundCents(cents) {
  return Math.round(cents);
}

export function lineTotal(line) {
  return line.cents * line.count;
}

export function orderTotal(order) {
  return order.lines.reduce((sum, line) => sum + lineTotal(line), 0);
}

export function addTax(cents, percent) {
  return roundCents(cents * (1 + percent / 100));
}

export function formatCents(cents) {
  return (cents / 100).toFixed(2);
}
`,
  'src/discounts.js': `import { orderTotal, roundCents } from './pricing.js';

/** Percent that a user saves: one for each full year, five at most. */
export function userDiscount(user, year) {
  return Math.max(0, Math.min(5, year - user.since));
}

export function applyDiscount(cents, percent) {
  return roundCents(cents * (1 - percent / 100));
}

export function discountedTotal(order, user, year) {
  return applyDiscount(orderTotal(order), userDiscount(user, year));
}

export function saved(order, user, year) {
  return orderTotal(order) - discountedTotal(order, user, year);
}
`,
  'src/orders.js': `import { fetchUser, listOrders } from './records.js';

export function addLine(order, product, count) {
  order.lines.push({ productId: product.id, cents: product.cents, count });
  return order;
}

export function removeLine(order, productId) {
  order.lines = order.lines.filter((line) => line.productId !== productId);
  return order;
}

export function ordersOfUser(userId) {
  fetchUser(userId);
  return listOrders().filter((order) => order.userId === userId);
}

export function openOrders() {
  return listOrders().filter((order) => order.open);
}

export function closeOrder(order) {
  order.open = false;
  return order;
}
`,
  'src/reports.js': `import { userDiscount } from './discounts.js';
import { formatUserName } from './names.js';
import { ordersOfUser } from './orders.js';
import { formatCents, orderTotal } from './pricing.js';
import { fetchUser, listOrders, listUsers } from './records.js';

function spent(userId) {
  return ordersOfUser(userId).reduce((sum, order) => sum + orderTotal(order), 0);
}

export function userReport(userId, year) {
  const user = fetchUser(userId);
  const discount = userDiscount(user, year);
  return formatUserName(user) + ': ' + formatCents(spent(userId)) + ', discount ' + discount + ' %';
}

/** The users that spent most, first the best. */
export function bestUsers(count) {
  return listUsers()
    .sort((a, b) => spent(b.id) - spent(a.id))
    .slice(0, count);
}

export function revenueByMonth() {
  const months = {};
  for (const order of listOrders()) months[order.month] = (months[order.month] ?? 0) + orderTotal(order);
  return months;
}
`,
  'src/index.js': `export { cached, emptyCache, isKept, refresh, warmUp } from './cache.js';
export { applyDiscount, discountedTotal, saved, userDiscount } from './discounts.js';
export { formatUserName, greeting, initials, sortByName } from './names.js';
export { addLine, closeOrder, openOrders, ordersOfUser, removeLine } from './orders.js';
export { addTax, formatCents, lineTotal, orderTotal, roundCents } from './pricing.js';
export {
  createOrder,
  createProduct,
  createUser,
  fetchOrder,
  fetchProduct,
  fetchUser,
  listOrders,
  listUsers,
  removeEverything,
  UserNotFoundError,
} from './records.js';
export { bestUsers, revenueByMonth, userReport } from './reports.js';
`,
};
