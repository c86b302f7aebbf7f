package io.flinkgpu.operator.lookup;

import io.flinkgpu.api.ValueGetter;
import io.flinkgpu.api.lookup.BadVectorException;
import io.flinkgpu.api.lookup.Bag;
import io.flinkgpu.api.lookup.Combiner;
import io.flinkgpu.api.lookup.EmbeddingTable;
import io.flinkgpu.api.lookup.LookupRequest;
import io.flinkgpu.api.lookup.Scoring;
import io.flinkgpu.backend.plan.EmbeddingPlan;

import java.util.Arrays;
import java.util.List;
import java.util.Map;

/**
 * Reads the requests of records, each into the same object. Of one by place there is nothing to read but how long it is.
 * Of those with bags most have the ones of the request before, but for their ids: the name of a table is looked up where
 * it is another object, and bytes that say the same are the same array. Travels in the job graph; one thread's.
 *
 * @param <Q> a request's record
 */
final class RequestReader<Q> implements ValueGetter<Q, AskedRequest> {

    private static final long serialVersionUID = 1L;

    private static final int NO_TABLE = -1;

    private final ValueGetter<Q, LookupRequest> getter;
    private final Map<String, Integer> numbers;
    private final int[] dimensions;

    /** What requests are scored by; null if they are not. */
    private final Scoring scoring;

    /** Of a request by place, and of each that is scored. */
    private final int[] placedBags;

    private transient AskedRequest asked;
    private transient AskedRequest.Shape placed;

    /** Of the request before, by the places of its bags: the name of the table, and its number. */
    private transient String[] names;

    private transient int[] numbersOfNames;

    /** Of the present request: its bags, and where their ids end. */
    private transient int[] bags;

    private transient int[] ends;
    private transient long[] ids;
    private transient float[] weights;

    /** That of the request before. */
    private transient Bags before;

    /**
     * @param numbers of the tables by their names
     * @param scoring of what is looked up; null if there is none
     */
    RequestReader(
            ValueGetter<Q, LookupRequest> getter,
            Map<String, Integer> numbers,
            List<EmbeddingTable> tables,
            Scoring scoring) {
        this.getter = getter;
        this.numbers = numbers;
        this.scoring = scoring;
        dimensions = tables.stream().mapToInt(EmbeddingTable::dimension).toArray();
        placedBags = scoring == null ? new int[tables.size()] : scoring.tablesOf(tables);
        for (int i = 0; i < placedBags.length; i++) {
            placedBags[i] =
                    scoring == null
                            ? EmbeddingPlan.bag(i, Combiner.SUM)
                            : EmbeddingPlan.bag(
                                    placedBags[i], scoring.features().get(i).combiner());
        }
    }

    /** The bags of a request but for their ids. */
    private record Bags(int[] bags, int[] ends, AskedRequest.Shape shape) {

        boolean isOf(int[] otherBags, int[] otherEnds, int count) {
            return Arrays.equals(bags, 0, bags.length, otherBags, 0, count)
                    && Arrays.equals(ends, 0, ends.length, otherEnds, 0, count);
        }
    }

    @Override
    public AskedRequest get(Q record) {
        LookupRequest request = getter.get(record);
        if (request == null) {
            return null;
        }
        if (asked == null) {
            asked = new AskedRequest();
            int[] one = new int[placedBags.length];
            Arrays.setAll(one, i -> i + 1);
            placed = shape(placedBags, one);
        }
        return request.ids() == null ? ofBags(request) : byPlace(request);
    }

    private AskedRequest byPlace(LookupRequest request) {
        if (request.features() != placedBags.length
                || scoring != null && request.dense().length != scoring.numbers()) {
            throw scoring != null
                    ? new BadVectorException("%s", scoring.defectOf(request))
                    : new BadVectorException(
                            "a request by place has a feature for each table: features=%s, tables=%s;"
                                    + " give it bags for other ones",
                            request.features(), placedBags.length);
        }
        return asked.set(
                placed, request.ids(), request.ids().length, request.ends(), null, request.dense());
    }

    private AskedRequest ofBags(LookupRequest request) {
        List<Bag> all = request.bags();
        int count = all.size();
        reserve(count);
        boolean isWeighted = false;
        int idCount = 0;
        for (int i = 0; i < count; i++) {
            Bag bag = all.get(i);
            int number = number(i, bag.table());
            if (number == NO_TABLE && scoring == null) {
                throw TableReader.noTable(numbers.size());
            }
            idCount = Math.addExact(idCount, bag.ids().length);
            isWeighted |= bag.weights() != null;
            bags[i] = EmbeddingPlan.bag(number, bag.combiner());
            ends[i] = idCount;
        }
        if (scoring != null && !isScored(request, count)) {
            throw new BadVectorException("%s", scoring.defectOf(request));
        }
        if (before == null || !before.isOf(bags, ends, count)) {
            int[] ofBags = Arrays.copyOf(bags, count);
            int[] ofEnds = Arrays.copyOf(ends, count);
            before = new Bags(ofBags, ofEnds, shape(ofBags, ofEnds));
        }
        if (ids.length < idCount) {
            ids = new long[idCount];
        }
        if (isWeighted && (weights == null || weights.length < idCount)) {
            weights = new float[ids.length];
        }
        int at = 0;
        for (int i = 0; i < count; i++) {
            Bag bag = all.get(i);
            int length = bag.ids().length;
            if (isWeighted) {
                putWeights(bag, at);
            }
            System.arraycopy(bag.ids(), 0, ids, at, length);
            at += length;
        }
        return asked.set(
                before.shape, ids, idCount, null, isWeighted ? weights : null, request.dense());
    }

    private boolean isScored(LookupRequest request, int count) {
        return request.dense().length == scoring.numbers()
                && Arrays.equals(bags, 0, count, placedBags, 0, placedBags.length);
    }

    private void reserve(int count) {
        if (names == null || names.length < count) {
            names = new String[count];
            numbersOfNames = new int[count];
            bags = new int[count];
            ends = new int[count];
            ids = new long[count];
        }
    }

    /** That of the table of a bag at this place. */
    private int number(int place, String name) {
        // Names are often the same object: then not a byte of them is read.
        if (names[place] != name) {
            names[place] = name;
            numbersOfNames[place] = numbers.getOrDefault(name, NO_TABLE);
        }
        return numbersOfNames[place];
    }

    private AskedRequest.Shape shape(int[] ofBags, int[] ofEnds) {
        long values = 0;
        int start = 0;
        for (int i = 0; i < ofBags.length; i++) {
            boolean isEach = EmbeddingPlan.combiner(ofBags[i]) == Combiner.NONE;
            values +=
                    (isEach ? ofEnds[i] - start : 1L) * dimensions[EmbeddingPlan.table(ofBags[i])];
            start = ofEnds[i];
        }
        return new AskedRequest.Shape(
                AskedRequest.bytes(ofBags), AskedRequest.bytes(ofEnds), values);
    }

    private void putWeights(Bag bag, int at) {
        if (bag.weights() == null) {
            Arrays.fill(weights, at, at + bag.ids().length, 1);
        } else {
            System.arraycopy(bag.weights(), 0, weights, at, bag.ids().length);
        }
    }
}
