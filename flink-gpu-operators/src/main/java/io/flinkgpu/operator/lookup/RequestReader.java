package io.flinkgpu.operator.lookup;

import io.flinkgpu.api.ValueGetter;
import io.flinkgpu.api.lookup.BadVectorException;
import io.flinkgpu.api.lookup.Bag;
import io.flinkgpu.api.lookup.Combiner;
import io.flinkgpu.api.lookup.EmbeddingTable;
import io.flinkgpu.api.lookup.LookupRequest;
import io.flinkgpu.api.lookup.Scoring;
import io.flinkgpu.backend.plan.EmbeddingPlan;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.List;
import java.util.Map;

/**
 * Reads the requests of records. Most have the bags of the one before, but for their ids: the name of a table is looked
 * up where it is another object, and bytes that say the same are the same array. Travels in the job graph; one thread's.
 *
 * @param <Q> a request's record
 */
final class RequestReader<Q> implements ValueGetter<Q, TableRequest<Q>> {

    private static final long serialVersionUID = 1L;

    private static final VarHandle LONGS =
            MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
    private static final VarHandle INTS =
            MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.LITTLE_ENDIAN);

    private static final int NO_TABLE = -1;

    private final ValueGetter<Q, LookupRequest> getter;
    private final Map<String, Integer> numbers;
    private final int[] dimensions;

    /** What requests are scored by, and the bags that it reads; null if they are not scored. */
    private final Scoring scoring;

    private final int[] scoredBags;

    /** Of the request before, by the places of its bags: the name of the table, and its number. */
    private transient String[] names;

    private transient int[] numbersOfNames;

    /** Of the present request: its bags, and where their ids end. */
    private transient int[] bags;

    private transient int[] ends;

    /** That of the request before. */
    private transient Shape shape;

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
        scoredBags = scoring == null ? null : scoring.tablesOf(tables);
        for (int i = 0; scoring != null && i < scoredBags.length; i++) {
            scoredBags[i] = EmbeddingPlan.bag(scoredBags[i], scoring.features().get(i).combiner());
        }
    }

    /** The bags of a request but for their ids: their bytes, and how many values they give. */
    private record Shape(int[] bags, int[] ends, byte[] bagBytes, byte[] endBytes, long values) {

        boolean isOf(int[] otherBags, int[] otherEnds, int count) {
            return Arrays.equals(bags, 0, bags.length, otherBags, 0, count)
                    && Arrays.equals(ends, 0, ends.length, otherEnds, 0, count);
        }
    }

    @Override
    public TableRequest<Q> get(Q record) {
        LookupRequest request = getter.get(record);
        return request == null ? null : request(record, request);
    }

    private TableRequest<Q> request(Q record, LookupRequest request) {
        List<Bag> all = request.bags();
        int count = all.size();
        reserve(count);
        boolean isWeighted = false;
        int ids = 0;
        for (int i = 0; i < count; i++) {
            Bag bag = all.get(i);
            int number = number(i, bag.table());
            if (number == NO_TABLE && scoring == null) {
                throw TableReader.noTable(numbers.size());
            }
            ids = Math.addExact(ids, bag.ids().length);
            isWeighted |= bag.weights() != null;
            bags[i] = EmbeddingPlan.bag(number, bag.combiner());
            ends[i] = ids;
        }
        if (scoring != null && !isScored(request, count)) {
            throw new BadVectorException("%s", scoring.defectOf(request));
        }
        if (shape == null || !shape.isOf(bags, ends, count)) {
            shape = shape(count);
        }
        byte[] idBytes = new byte[Math.multiplyExact(Long.BYTES, ids)];
        byte[] weightBytes = isWeighted ? new byte[Math.multiplyExact(Float.BYTES, ids)] : null;
        int at = 0;
        for (int i = 0; i < count; i++) {
            Bag bag = all.get(i);
            if (isWeighted) {
                putWeights(bag, weightBytes, at);
            }
            for (long id : bag.ids()) {
                LONGS.set(idBytes, Long.BYTES * at++, id);
            }
        }
        return new TableRequest<>(
                record,
                idBytes,
                shape.bagBytes,
                shape.endBytes,
                weightBytes,
                bytes(request.dense()),
                shape.values);
    }

    private boolean isScored(LookupRequest request, int count) {
        return request.dense().length == scoring.numbers()
                && Arrays.equals(bags, 0, count, scoredBags, 0, scoredBags.length);
    }

    private void reserve(int count) {
        if (names == null || names.length < count) {
            names = new String[count];
            numbersOfNames = new int[count];
            bags = new int[count];
            ends = new int[count];
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

    private Shape shape(int count) {
        byte[] bagBytes = new byte[Integer.BYTES * count];
        byte[] endBytes = new byte[Integer.BYTES * count];
        long values = 0;
        int ids = 0;
        for (int i = 0; i < count; i++) {
            INTS.set(bagBytes, Integer.BYTES * i, bags[i]);
            INTS.set(endBytes, Integer.BYTES * i, ends[i]);
            boolean isEach = EmbeddingPlan.combiner(bags[i]) == Combiner.NONE;
            values += (isEach ? ends[i] - ids : 1L) * dimensions[EmbeddingPlan.table(bags[i])];
            ids = ends[i];
        }
        return new Shape(
                Arrays.copyOf(bags, count), Arrays.copyOf(ends, count), bagBytes, endBytes, values);
    }

    private static void putWeights(Bag bag, byte[] target, int at) {
        float[] weights = bag.weights();
        for (int i = 0; i < bag.ids().length; i++) {
            float weight = weights == null ? 1 : weights[i];
            INTS.set(target, Float.BYTES * (at + i), Float.floatToRawIntBits(weight));
        }
    }

    private static byte[] bytes(float[] numbers) {
        byte[] bytes = new byte[Math.multiplyExact(Float.BYTES, numbers.length)];
        for (int i = 0; i < numbers.length; i++) {
            INTS.set(bytes, Float.BYTES * i, Float.floatToRawIntBits(numbers[i]));
        }
        return bytes;
    }
}
