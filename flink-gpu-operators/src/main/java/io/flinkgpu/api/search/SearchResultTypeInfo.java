package io.flinkgpu.api.search;

import io.flinkgpu.api.AtomicTypeInfo;
import io.flinkgpu.api.Errors;

import org.apache.flink.annotation.PublicEvolving;
import org.apache.flink.api.common.serialization.SerializerConfig;
import org.apache.flink.api.common.typeinfo.TypeInfoFactory;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.api.common.typeutils.TypeSerializer;

import java.lang.reflect.Type;
import java.util.Map;

/** Flink's type of {@link SearchResult}: not a key; serialized as the query's type is, without Kryo. */
@PublicEvolving
public final class SearchResultTypeInfo<Q> extends AtomicTypeInfo<SearchResult<Q>> {

    private static final long serialVersionUID = 1L;

    private final TypeInformation<Q> queryType;

    /** The type of results of a query type. */
    public SearchResultTypeInfo(TypeInformation<Q> queryType) {
        super(SearchResult.class, false, Errors.present("queryType", queryType));
        this.queryType = queryType;
    }

    @Override
    public Map<String, TypeInformation<?>> getGenericParameters() {
        return Map.of("Q", queryType);
    }

    @Override
    public TypeSerializer<SearchResult<Q>> createSerializer(SerializerConfig config) {
        return new SearchResultSerializer<>(queryType.createSerializer(config));
    }

    /** Found by Flink through the annotation of {@link SearchResult}. */
    public static final class Factory<Q> extends TypeInfoFactory<SearchResult<Q>> {

        // Flink names the arguments as the record does.
        @SuppressWarnings("unchecked")
        @Override
        public TypeInformation<SearchResult<Q>> createTypeInfo(
                Type type, Map<String, TypeInformation<?>> genericParameters) {
            return new SearchResultTypeInfo<>((TypeInformation<Q>) genericParameters.get("Q"));
        }
    }
}
