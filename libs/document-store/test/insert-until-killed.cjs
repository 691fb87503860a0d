// Inserts documents, ten concurrently, and prints the id of each acknowledged one. Runs until it is killed.
const { dist, opener, options, spec } = JSON.parse(process.argv[2]);
const files = {
  openEmbeddedDocumentStore: 'index.js',
  openMongoDocumentStore: 'mongodb/open-mongo-document-store.js',
};
(async () => {
  const store = await require(`${dist}/${files[opener]}`)[opener](options);
  const books = await store.collection(spec);
  for (let n = 0; n < 900; n += 10) {
    await Promise.all(
      Array.from({ length: 10 }, async (_, k) => {
        const id = 'b' + (n + k);
        await books.insert(id, { project_id: 'p', name: id, pages: n, extra: 'x'.repeat(3000) });
        require('node:fs').writeSync(1, id + '\n');
      }),
    );
  }
  setInterval(() => {}, 1000);
})();
