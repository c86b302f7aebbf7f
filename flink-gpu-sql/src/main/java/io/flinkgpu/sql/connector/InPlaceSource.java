package io.flinkgpu.sql.connector;

import org.apache.flink.annotation.Internal;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.table.connector.source.ScanTableSource;
import org.apache.flink.table.data.RowData;

import java.util.Optional;

/** A source that can give out each row as a view of what it reads, instead of as an object of its own. */
@Internal
public interface InPlaceSource {

    /**
     * The same source with such rows: each is valid until the operator that it was given to returns.
     *
     * @param type of the rows, which copies none where operators are chained
     * @return a copy, or nothing if this source's rows cannot be views
     */
    Optional<ScanTableSource> inPlace(TypeInformation<RowData> type);
}
