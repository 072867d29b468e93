import type { NaipImage } from './plan.ts';

/** The metadata file of an image, in the plain text form of the FGDC standard that the earlier years came with. */
export function toMetadataText({ quarter, name }: NaipImage): string {
  const day = name.slice(-8);
  const quad = name.slice(2, 9);
  return `Metadata:
  Identification_Information:
    Citation:
      Citation_Information:
        Originator: USDA-FSA-APFO Aerial Photography Field Office
        Publication_Date: ${Number(day.slice(0, 4)) + 1}0115
        Title: NAIP Digital Ortho Photo Image
        Geospatial_Data_Presentation_Form: remote-sensing image
    Description:
      Abstract:
        A quarter quadrangle of 3.75' x 3.75' with a buffer of 300 meters, of the made-up
        landscape of Swath's demo. It was not flown, and shows no place on Earth.
    Time_Period_of_Content:
      Time_Period_Information:
        Single_Date/Time:
          Calendar_Date: ${day}
      Currentness_Reference: Ground Condition
    Spatial_Domain:
      Bounding_Coordinates:
        West_Bounding_Coordinate: ${quarter.west.toFixed(4)}
        East_Bounding_Coordinate: ${quarter.east.toFixed(4)}
        North_Bounding_Coordinate: ${quarter.north.toFixed(4)}
        South_Bounding_Coordinate: ${quarter.south.toFixed(4)}
    Keywords:
      Theme:
        Theme_Keyword_Thesaurus: None
        Theme_Keyword: farming
        Theme_Keyword: Digital Ortho rectified Image
        Theme_Keyword: Quarter Quadrangle Centered
        Theme_Keyword: NAIP
      Place:
        Place_Keyword_Thesaurus: Geographic Names Information System
        Place_Keyword: WA
        Place_Keyword: ${quad}
    Access_Constraints: There are no limitations for access.
  Spatial_Reference_Information:
    Horizontal_Coordinate_System_Definition:
      Planar:
        Grid_Coordinate_System:
          Grid_Coordinate_System_Name: Universal Transverse Mercator
          Universal_Transverse_Mercator:
            UTM_Zone_Number: 10
      Geodetic_Model:
        Horizontal_Datum_Name: North American Datum of 1983
`;
}
