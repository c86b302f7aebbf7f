package io.flinkgpu.bench;

import io.flinkgpu.api.search.SetQuery;

import org.apache.lucene.analysis.TokenStream;
import org.apache.lucene.analysis.tokenattributes.BytesTermAttribute;
import org.apache.lucene.document.Document;
import org.apache.lucene.document.Field;
import org.apache.lucene.document.FieldType;
import org.apache.lucene.document.NumericDocValuesField;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.IndexOptions;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.index.LeafReader;
import org.apache.lucene.index.NumericDocValues;
import org.apache.lucene.index.PostingsEnum;
import org.apache.lucene.index.Term;
import org.apache.lucene.index.TermsEnum;
import org.apache.lucene.search.BooleanClause;
import org.apache.lucene.search.BooleanQuery;
import org.apache.lucene.search.Collector;
import org.apache.lucene.search.CollectorManager;
import org.apache.lucene.search.ConstantScoreQuery;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.search.Scorable;
import org.apache.lucene.search.ScoreMode;
import org.apache.lucene.search.SimpleCollector;
import org.apache.lucene.search.TermQuery;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.MMapDirectory;
import org.apache.lucene.util.BytesRef;
import org.apache.lucene.util.Version;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/**
 * Sets in an index of Lucene of one segment: an element is a term without frequencies or norms. Sizes and ids
 * of documents are doc values, kept in arrays as well. Scores are compared as integers, and of equal ones
 * the smaller id is first. One thread's, once it is built.
 */
final class LuceneSets implements AutoCloseable {

    private static final String ELEMENTS = "elements";
    private static final String ID = "id";
    private static final String SIZE = "size";
    private static final double BUFFER_MIB = 1_024;
    private static final int BATCH = 4_096;

    private final Path folder;
    private final Directory directory;
    private final DirectoryReader reader;
    private final LeafReader leaf;
    private final IndexSearcher searcher;
    private final double seconds;
    private final byte[] sizes;
    private final long[] ids;
    private final byte[] counts;

    private LuceneSets(Path folder, Directory directory, double seconds) throws IOException {
        this.folder = folder;
        this.directory = directory;
        this.seconds = seconds;
        reader = DirectoryReader.open(directory);
        leaf = reader.leaves().get(0).reader();
        searcher = new IndexSearcher(reader);
        searcher.setQueryCache(null);
        sizes = new byte[leaf.maxDoc()];
        ids = new long[leaf.maxDoc()];
        counts = new byte[leaf.maxDoc()];
        NumericDocValues inSizes = leaf.getNumericDocValues(SIZE);
        NumericDocValues inIds = leaf.getNumericDocValues(ID);
        for (int i = 0; i < sizes.length; i++) {
            inSizes.nextDoc();
            inIds.nextDoc();
            sizes[i] = (byte) inSizes.longValue();
            ids[i] = inIds.longValue();
        }
    }

    /** Indexes documents with all cores, and makes one segment of them. */
    static LuceneSets build(Path folder, SetData data) throws Exception {
        long start = System.nanoTime();
        Directory directory = new MMapDirectory(folder);
        IndexWriterConfig config =
                new IndexWriterConfig().setRAMBufferSizeMB(BUFFER_MIB).setUseCompoundFile(false);
        int threads = Runtime.getRuntime().availableProcessors();
        ExecutorService pool = Executors.newFixedThreadPool(threads);
        try (IndexWriter writer = new IndexWriter(directory, config)) {
            List<Future<?>> parts = new ArrayList<>();
            for (int thread = 0; thread < threads; thread++) {
                long first = (long) BATCH * thread;
                parts.add(
                        pool.submit(
                                () -> {
                                    for (long from = first;
                                            from < data.documents();
                                            from += (long) BATCH * threads) {
                                        add(writer, data, from);
                                    }
                                    return null;
                                }));
            }
            for (Future<?> part : parts) {
                part.get();
            }
            writer.forceMerge(1);
            writer.commit();
        } finally {
            pool.shutdownNow();
        }
        return new LuceneSets(folder, directory, (System.nanoTime() - start) / 1e9);
    }

    private static void add(IndexWriter writer, SetData data, long from) throws IOException {
        FieldType type = new FieldType();
        type.setIndexOptions(IndexOptions.DOCS);
        type.setTokenized(true);
        type.setOmitNorms(true);
        type.freeze();
        Elements stream = new Elements();
        NumericDocValuesField id = new NumericDocValuesField(ID, 0);
        NumericDocValuesField size = new NumericDocValuesField(SIZE, 0);
        Document document = new Document();
        document.add(new Field(ELEMENTS, stream, type));
        document.add(id);
        document.add(size);
        SetData.Room room = new SetData.Room();
        for (long i = from; i < Math.min(data.documents(), from + BATCH); i++) {
            stream.elements = new int[data.length(i)];
            data.document(i, room, stream.elements);
            id.setLongValue(i);
            size.setLongValue(stream.elements.length);
            writer.addDocument(document);
        }
    }

    /** A set as a field's tokens. */
    private static final class Elements extends TokenStream {

        private final BytesTermAttribute term = addAttribute(BytesTermAttribute.class);
        private int[] elements;
        private int at;

        @Override
        public void reset() {
            at = 0;
        }

        @Override
        public boolean incrementToken() {
            if (at == elements.length) {
                return false;
            }
            clearAttributes();
            term.setBytesRef(term(elements[at++]));
            return true;
        }
    }

    private static BytesRef term(int element) {
        return new BytesRef(
                new byte[] {
                    (byte) (element >>> 24),
                    (byte) (element >>> 16),
                    (byte) (element >>> 8),
                    (byte) element
                });
    }

    /**
     * The sum of an answer, by a query of which each element is a clause that adds 1 to the score: Lucene's
     * scorer of disjunctions, without pruning, which equal weights give no bounds for.
     */
    long scored(SetQuery query) throws IOException {
        BooleanQuery.Builder builder = new BooleanQuery.Builder();
        for (int element : query.elements()) {
            builder.add(
                    new ConstantScoreQuery(new TermQuery(new Term(ELEMENTS, term(element)))),
                    BooleanClause.Occur.SHOULD);
        }
        BestSets best = new BestSets(query, sizes, ids);
        searcher.search(
                builder.build(),
                new CollectorManager<Collector, Void>() {
                    @Override
                    public Collector newCollector() {
                        return new Collected(best);
                    }

                    @Override
                    public Void reduce(Collection<Collector> collectors) {
                        return null;
                    }
                });
        return best.sum();
    }

    /** Offers all documents that a query matches. */
    private static final class Collected extends SimpleCollector {

        private final BestSets best;
        private Scorable scorer;

        Collected(BestSets best) {
            this.best = best;
        }

        @Override
        public void setScorer(Scorable scorer) {
            this.scorer = scorer;
        }

        @Override
        public void collect(int doc) throws IOException {
            best.offer(doc, (int) scorer.score());
        }

        @Override
        public ScoreMode scoreMode() {
            return ScoreMode.COMPLETE;
        }
    }

    /** The same by counting what Lucene's lists of documents have, an element at a time. */
    long counted(SetQuery query) throws IOException {
        TermsEnum terms = leaf.terms(ELEMENTS).iterator();
        PostingsEnum postings = null;
        for (int element : query.elements()) {
            if (terms.seekExact(term(element))) {
                postings = terms.postings(postings, PostingsEnum.NONE);
                for (int doc = postings.nextDoc();
                        doc != PostingsEnum.NO_MORE_DOCS;
                        doc = postings.nextDoc()) {
                    counts[doc]++;
                }
            }
        }
        BestSets best = new BestSets(query, sizes, ids);
        for (int doc = 0; doc < counts.length; doc++) {
            if (counts[doc] != 0) {
                best.offer(doc, counts[doc] & 0xff);
                counts[doc] = 0;
            }
        }
        return best.sum();
    }

    @Override
    public String toString() {
        return String.format(
                Locale.ROOT,
                "Lucene %s: %,d documents in one segment after %.1f s",
                Version.LATEST,
                sizes.length,
                seconds);
    }

    /** Deletes the index, too. */
    @Override
    public void close() throws IOException {
        reader.close();
        directory.close();
        SetFiles.delete(folder);
    }
}
