package io.flinkgpu.backend.cuda.lookup;

import io.flinkgpu.backend.BackendException;
import io.flinkgpu.embeddings.Workers;

import org.apache.arrow.memory.util.MemoryUtil;

/**
 * Vectors of a table in device memory. As long as there is room for all, a vector's place is its index. From then on
 * each index has a location, and uses are counted so that {@link Admission} can choose which vectors are here.
 */
final class VectorCache implements AutoCloseable {

    /** What the location of a vector is that is not here. */
    static final int NOWHERE = -1;

    private static final int LEAST_PLACES = 64;

    private final VectorShape shape;
    private final LookupMemory memory;
    private final Budget budget;

    /** Null: there is none, and no places. */
    private LookupMemory.Piece vectors;

    private int places;

    /** Where the host has the location of each vector; 0 while a vector's place is its index. */
    private long locations;

    private int located;

    private LookupMemory.Piece deviceLocations;
    private LookupMemory.Piece frequencies;

    VectorCache(VectorShape shape, LookupMemory memory, Budget budget) {
        this.shape = shape;
        this.memory = memory;
        this.budget = budget;
    }

    int places() {
        return places;
    }

    /** Whether vectors are chosen, and locations say where they are. */
    boolean isChosen() {
        return locations != 0;
    }

    /** Where the first place is on the device; 0 if there is none. */
    long address() {
        return vectors == null ? 0 : vectors.address();
    }

    /** Where locations are on the device; 0 if there are none. */
    long locationsAddress() {
        return deviceLocations == null ? 0 : deviceLocations.address();
    }

    /** Where frequencies are on the device; 0 if there are none. */
    long frequenciesAddress() {
        return frequencies == null ? 0 : frequencies.address();
    }

    /** How many vectors have locations. */
    int located() {
        return located;
    }

    /** The place of a vector; {@link #NOWHERE} if it is not here. */
    int location(int index) {
        if (isChosen()) {
            return MemoryUtil.getInt(location(locations, index));
        }
        return index < places ? index : NOWHERE;
    }

    private static long location(long locations, int index) {
        return locations + (long) Integer.BYTES * index;
    }

    /** Where a place is on the device. */
    long placeAddress(int place) {
        return address() + (long) place * shape.stride();
    }

    /** Takes places for the first vectors: as many as are wanted, or as there is memory for. */
    void open(long wanted) throws BackendException {
        for (long some = Math.min(wanted, budget.freeBytes() / shape.stride());
                some > 0;
                some = some * 7 / 8) {
            LookupMemory.Piece taken = take(some);
            if (taken != null) {
                vectors = taken;
                places = Math.toIntExact(some);
                return;
            }
        }
    }

    private LookupMemory.Piece take(long some) throws BackendException {
        long bytes = some * shape.stride();
        if (!budget.take(bytes)) {
            return null;
        }
        LookupMemory.Piece taken = memory.takeSpare(bytes);
        if (taken == null) {
            budget.giveBack(bytes);
        }
        return taken;
    }

    /**
     * Makes room for a vector with the next index, where that is its place.
     *
     * @return whether what is described is not the same any more
     */
    boolean makeRoom(int index, Puts puts) throws BackendException {
        if (isChosen()) {
            if (index < located) {
                return false;
            }
            locate(twice(index + 1), puts);
            return true;
        }
        if (index < places) {
            return false;
        }
        int more = Math.max(LEAST_PLACES, twice(places));
        LookupMemory.Piece larger = take(more);
        if (larger != null) {
            // Those that were not put yet are copied with the others when it grows once more.
            puts.zero(larger.address(), (long) more * shape.stride());
            if (vectors != null) {
                puts.flush();
                puts.copy(larger.address(), vectors.address(), (long) places * shape.stride());
                puts.flush();
                vectors.close();
                budget.giveBack((long) places * shape.stride());
            }
            vectors = larger;
            places = more;
            return true;
        }
        if (places > 0) {
            locate(twice(index + 1), puts);
        }
        return places > 0;
    }

    /** As many again, as far as a table may have so many vectors. */
    static int twice(int vectors) {
        return (int) Math.min(2L * vectors, DeviceTable.MOST_VECTORS);
    }

    /** Gives vectors locations, of which there are so many. */
    void locate(int count, Puts puts) throws BackendException {
        boolean isFirst = !isChosen();
        long larger = MemoryUtil.allocateMemory((long) Integer.BYTES * count);
        for (int index = 0; index < count; index++) {
            boolean isKnown = isFirst || index < located;
            MemoryUtil.putInt(location(larger, index), isKnown ? location(index) : NOWHERE);
        }
        freeLocations();
        locations = larger;
        located = count;
        closeLocations();
        // Kernels read and write frequencies by 16.
        long frequencyBytes = (count + 15L) & -16;
        deviceLocations = memory.take((long) Integer.BYTES * count);
        frequencies = memory.take(frequencyBytes);
        puts.zero(frequencies.address(), frequencyBytes);
        puts.upload(
                deviceLocations.address(),
                locations,
                (long) Integer.BYTES * count,
                Workers.ofCaller());
    }

    private void freeLocations() {
        if (isChosen()) {
            MemoryUtil.freeMemory(locations);
            locations = 0;
        }
    }

    /**
     * Gives the place of a vector that is here to one that is not.
     *
     * @return where the place is on the device
     */
    long swap(int evicted, int admitted, Puts puts) throws BackendException {
        int place = location(evicted);
        // First: there may be no memory for it, and then all stays as it was.
        puts.putInt(deviceLocations.address() + (long) Integer.BYTES * evicted, NOWHERE);
        puts.putInt(deviceLocations.address() + (long) Integer.BYTES * admitted, place);
        MemoryUtil.putInt(location(locations, evicted), NOWHERE);
        MemoryUtil.putInt(location(locations, admitted), place);
        return placeAddress(place);
    }

    private void closeLocations() {
        if (deviceLocations != null) {
            deviceLocations.close();
            deviceLocations = null;
        }
        if (frequencies != null) {
            frequencies.close();
            frequencies = null;
        }
    }

    @Override
    public void close() {
        freeLocations();
        closeLocations();
        if (vectors != null) {
            vectors.close();
        }
    }
}
