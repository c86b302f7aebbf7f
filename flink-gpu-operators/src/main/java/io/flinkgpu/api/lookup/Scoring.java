package io.flinkgpu.api.lookup;

import io.flinkgpu.api.Errors;
import io.flinkgpu.api.dense.DensePlan;

import org.apache.flink.annotation.PublicEvolving;

import java.io.Serializable;
import java.util.Arrays;
import java.util.List;

/**
 * A model that scores requests: it reads the values of a request's bags one after another, and then the request's
 * numbers. All requests have the same bags but for their ids, and as many numbers. What it gives takes the place
 * of the looked-up values, as if it were one bag. Immutable.
 *
 * @param model what is computed
 * @param numbers of each request, see {@link LookupRequest#withDense}
 * @param features the bags of each request, in order
 */
@PublicEvolving
public record Scoring(DensePlan model, int numbers, List<Feature> features)
        implements Serializable {

    private static final long serialVersionUID = 1L;

    public Scoring {
        Errors.present("model", model);
        features = List.copyOf(Errors.present("features", features));
        if (numbers < 0) {
            throw new BadVectorException(
                    "a request has no less than no numbers: numbers=%s; say how many there are",
                    numbers);
        }
    }

    /** The same with features one by one. */
    public static Scoring of(DensePlan model, int numbers, Feature... features) {
        Errors.present("features", features);
        return new Scoring(model, numbers, Arrays.asList(features));
    }

    /**
     * The table of each feature, by its place.
     *
     * @throws IllegalArgumentException if there is none, or if tables and numbers do not give what the model
     *     reads
     */
    public int[] tablesOf(List<EmbeddingTable> tables) {
        List<String> names = tables.stream().map(EmbeddingTable::name).toList();
        int[] places = new int[features.size()];
        long width = numbers;
        for (int i = 0; i < places.length; i++) {
            String table = features.get(i).table();
            places[i] = names.indexOf(table);
            if (places[i] < 0) {
                throw new BadVectorException(
                        "a feature is of a table: feature=%s, table=%s; add it with tables(..), or"
                                + " correct the name",
                        i, table);
            }
            width += tables.get(places[i]).dimension();
        }
        if (width != model.inputWidth()) {
            throw new BadVectorException(
                    "features and numbers give what the model reads: inputWidth=%s, given=%s,"
                            + " features=%s, numbers=%s; use the tables and numbers that it was"
                            + " trained with",
                    model.inputWidth(), width, features.size(), numbers);
        }
        return places;
    }

    /** Why a request is not what the model reads; null if it is. */
    public String defectOf(LookupRequest request) {
        if (request.features() != features.size() || request.dense().length != numbers) {
            return "a request has the bags and numbers of the model: bags="
                    + request.features()
                    + ", needed="
                    + features.size()
                    + ", numbers="
                    + request.dense().length
                    + ", needed="
                    + numbers
                    + "; send as many";
        }
        for (int i = 0; i < request.bags().size(); i++) {
            Bag bag = request.bags().get(i);
            Feature feature = features.get(i);
            if (!bag.table().equals(feature.table()) || bag.combiner() != feature.combiner()) {
                return "a bag is of its feature's table and combiner: bag="
                        + i
                        + ", needed="
                        + feature.table()
                        + " "
                        + feature.combiner()
                        + "; send bags in the order of the features";
            }
        }
        return null;
    }
}
