/** The tests of the corner shop, for `node --test`. */
export const SHOP_TESTS: Readonly<Record<string, string>> = {
  'test/records.test.js': `import assert from 'node:assert/strict';
import { beforeEach, test } from 'node:test';
import {
  createOrder,
  createProduct,
  createUser,
  fetchOrder,
  fetchProduct,
  fetchUser,
  listUsers,
  removeEverything,
  UserNotFoundError,
} from '../src/index.js';

beforeEach(removeEverything);

test('a user is found by its id', () => {
  const user = createUser('Ada', 'Stone', 2020);
  assert.equal(fetchUser(user.id), user);
});

test('ids are never given twice', () => {
  assert.notEqual(createUser('Ada', 'Stone', 2020).id, createUser('Ada', 'Stone', 2020).id);
});

test('an unknown user is an error of its own kind', () => {
  assert.throws(() => fetchUser('u0'), UserNotFoundError);
});

test('products and orders are found by their ids', () => {
  const product = createProduct('Tea', 350);
  const order = createOrder('u1', '2026-01');
  assert.equal(fetchProduct(product.id), product);
  assert.equal(fetchOrder(order.id), order);
});

test('users are listed in the order they came', () => {
  createUser('Ada', 'Stone', 2020);
  createUser('Ben', 'Field', 2024);
  assert.deepEqual(
    listUsers().map((user) => user.firstName),
    ['Ada', 'Ben'],
  );
});

test('nothing is left after everything was removed', () => {
  createUser('Ada', 'Stone', 2020);
  removeEverything();
  assert.deepEqual(listUsers(), []);
});
`,
  'test/cache.test.js': `import assert from 'node:assert/strict';
import { beforeEach, test } from 'node:test';
import * as shop from '../src/index.js';

beforeEach(() => {
  shop.removeEverything();
  shop.emptyCache();
});

test('refresh reads a user again', () => {
  const user = shop.createUser('Ada', 'Stone', 2020);
  assert.equal(shop.refresh('User', user.id), user);
});

test('a product is kept after the first look', () => {
  const product = shop.createProduct('Tea', 350);
  assert.equal(shop.isKept('Product', product.id), false);
  assert.equal(shop.cached('Product', product.id), product);
  assert.equal(shop.isKept('Product', product.id), true);
});

test('warmUp fills the cache with records of every kind', () => {
  const user = shop.createUser('Ada', 'Stone', 2020);
  const product = shop.createProduct('Tea', 350);
  const order = shop.createOrder(user.id, '2026-01');
  const entries = [
    ['Product', product.id],
    ['Order', order.id],
    ['User', user.id],
  ];
  assert.equal(shop.warmUp(entries), 3);
});

test('an unknown kind is refused by name', () => {
  assert.throws(() => shop.refresh('Planet', 'p1'), /no function fetchPlanet/);
});
`,
  'test/names.test.js': `import assert from 'node:assert/strict';
import { test } from 'node:test';
import { formatUserName, greeting, initials, sortByName } from '../src/index.js';

const user = { firstName: 'Ada', lastName: 'Stone' };

test('the last name comes first', () => {
  assert.equal(formatUserName(user), 'Stone, Ada');
});

test('initials are two letters', () => {
  assert.equal(initials(user), 'AS');
});

test('users are sorted by their last names', () => {
  const other = { firstName: 'Ben', lastName: 'Field' };
  assert.deepEqual(sortByName([user, other]), [other, user]);
});

test('a letter begins with the first name', () => {
  assert.equal(greeting(user), 'Dear Ada');
});
`,
  'test/money.test.js': `import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  addTax,
  applyDiscount,
  discountedTotal,
  formatCents,
  lineTotal,
  orderTotal,
  roundCents,
  saved,
  userDiscount,
} from '../src/index.js';

const user = { firstName: 'Ada', lastName: 'Stone', since: 2023 };
const order = {
  lines: [
    { productId: 'p1', cents: 350, count: 2 },
    { productId: 'p2', cents: 1000, count: 1 },
  ],
};

test('a line costs its price times its count', () => {
  assert.equal(lineTotal(order.lines[0]), 700);
});

test('an order costs the sum of its lines', () => {
  assert.equal(orderTotal(order), 1700);
});

test('tax is added and rounded', () => {
  assert.equal(addTax(199, 19), 237);
  assert.equal(roundCents(1.5), 2);
});

test('cents are shown with two digits', () => {
  assert.equal(formatCents(1705), '17.05');
});

test('a user saves one percent a year', () => {
  assert.equal(userDiscount(user, 2026), 3);
});

test('a user saves five percent at most, and never less than nothing', () => {
  assert.equal(userDiscount(user, 2040), 5);
  assert.equal(userDiscount(user, 2020), 0);
});

test('a discount is taken off and rounded', () => {
  assert.equal(applyDiscount(1999, 10), 1799);
});

test('what is saved and what is paid make the whole', () => {
  assert.equal(discountedTotal(order, user, 2026) + saved(order, user, 2026), 1700);
});
`,
  'test/orders.test.js': `import assert from 'node:assert/strict';
import { beforeEach, test } from 'node:test';
import * as shop from '../src/index.js';

beforeEach(shop.removeEverything);

function orderOf(user, month, count) {
  return shop.addLine(shop.createOrder(user.id, month), shop.createProduct('Tea', 350), count);
}

test('a line is added and removed', () => {
  const order = orderOf(shop.createUser('Ada', 'Stone', 2020), '2026-01', 2);
  assert.equal(order.lines.length, 1);
  assert.equal(shop.removeLine(order, order.lines[0].productId).lines.length, 0);
});

test('orders are found by their user', () => {
  const user = shop.createUser('Ada', 'Stone', 2020);
  const order = orderOf(user, '2026-01', 1);
  orderOf(shop.createUser('Ben', 'Field', 2024), '2026-01', 1);
  assert.deepEqual(shop.ordersOfUser(user.id), [order]);
});

test('orders of an unknown user are an error', () => {
  assert.throws(() => shop.ordersOfUser('u0'), shop.UserNotFoundError);
});

test('a closed order is no open order', () => {
  const order = orderOf(shop.createUser('Ada', 'Stone', 2020), '2026-01', 1);
  assert.deepEqual(shop.openOrders(), [order]);
  shop.closeOrder(order);
  assert.deepEqual(shop.openOrders(), []);
});

test('a report names the user, the sum and the discount', () => {
  const user = shop.createUser('Ada', 'Stone', 2023);
  orderOf(user, '2026-01', 2);
  assert.equal(shop.userReport(user.id, 2026), 'Stone, Ada: 7.00, discount 3 %');
});

test('the best users are those that spent most', () => {
  const ada = shop.createUser('Ada', 'Stone', 2020);
  const ben = shop.createUser('Ben', 'Field', 2024);
  orderOf(ada, '2026-01', 1);
  orderOf(ben, '2026-02', 5);
  assert.deepEqual(shop.bestUsers(1), [ben]);
});

test('revenue is counted by month', () => {
  const user = shop.createUser('Ada', 'Stone', 2020);
  orderOf(user, '2026-01', 1);
  orderOf(user, '2026-02', 2);
  orderOf(user, '2026-02', 1);
  assert.deepEqual(shop.revenueByMonth(), { '2026-01': 350, '2026-02': 1050 });
});
`,
};
